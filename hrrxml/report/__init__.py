"""Tables, figures and a page from results. The pipeline and papers/ share this code."""
