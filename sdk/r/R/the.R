# The package knows this while it is loaded. Tests put their own clock, chance and network in its place.
the <- new.env(parent = emptyenv())
# Keys by the connection that has them: not within it, so that neither print(), str() nor a saved workspace has one.
the$keys <- new.env(parent = emptyenv())
the$now <- function() as.numeric(Sys.time())
the$sleep <- function(seconds) Sys.sleep(seconds)
the$random <- function() openssl::rand_num(1)
the$fetch_stream <- function(url, take, handle) curl::curl_fetch_stream(url, take, handle = handle)
the$handle_data <- function(handle) curl::handle_data(handle)
