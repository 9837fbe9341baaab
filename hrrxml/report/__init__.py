"""From results to tables, figures and a page. The pipeline and the study of the papers share it."""
