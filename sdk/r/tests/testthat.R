library(testthat)
library(catchment)

test_check("catchment")
