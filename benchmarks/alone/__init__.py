"""Programs that train one model each in a process of its own, and say what it cost."""
