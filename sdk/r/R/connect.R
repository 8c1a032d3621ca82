connect <- function(url = NULL, key = NULL, profile = NULL, tries = 5, max_wait = 120) {
  if (!is.numeric(tries) || length(tries) != 1 || is.na(tries) || tries < 1) refuse("tries", "must be 1 or more")
  if (!is.numeric(max_wait) || length(max_wait) != 1 || is.na(max_wait) || max_wait < 0) {
    refuse("max_wait", "must be seconds, 0 or more")
  }
  for (name in c("url", "key", "profile")) {
    given <- get(name)
    if (!is.null(given) && !is_text(given)) refuse(name, "must be a text")
  }
  settings <- settings_of(url, key, profile)
  id <- random_id()
  the$keys[[id]] <- settings$key
  structure(list(url = settings$url, id = id, tries = tries, max_wait = max_wait), class = "catchment_connection")
}

print.catchment_connection <- function(x, ...) {
  cat("<catchment> ", x$url, "\n", sep = "")
  invisible(x)
}

format.catchment_connection <- function(x, ...) paste("<catchment>", x$url)

# Not of the generator of R: people set its seed, and count on what it gives next.
random_id <- function() paste(as.character(openssl::rand_bytes(16)), collapse = "")

check_connection <- function(con) {
  if (!inherits(con, "catchment_connection")) {
    refuse("con", "must be a connection that connect() has made; functions of base R with this name are base::write() and the like")
  }
  if (is.null(the$keys[[con$id]])) {
    refuse("con", "is of another session of R, which had its key: connect() again")
  }
}
