"""A classifier with scikit-learn's conventions, and everything that belongs to a saved model."""
