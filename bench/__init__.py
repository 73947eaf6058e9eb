"""Benchmarks: figures with their budgets and ratios, never a test."""
