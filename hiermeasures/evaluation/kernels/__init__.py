"""The compiled functions over arrays: one module for each structure that they fill, and those that
they share.

hiermeasures.evaluation.tasks imports every module here, and its kernels register themselves.
"""
