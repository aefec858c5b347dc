"""The compiled functions over arrays: one module for each structure that they fill, and those that they share.

hiermeasures.batch.tasks imports every module here; a module registers its kernels with hiermeasures.batch.filling.
"""
