"""GLaS's tables and Figure 1 beside ours, and its idea in holographic codes."""
