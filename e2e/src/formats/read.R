# CSV in long form and RDB by readr. A line `ok …` or `FAULT …` for each case.
suppressPackageStartupMessages(library(readr))
given <- Sys.getenv(c("URL", "KEY", "FROM", "TO", "number", "text"))
fetched <- function(format, ...) {
  file <- tempfile()
  asked <- c(params = paste(given["number"], given["text"], sep = ","), startTime = given[["FROM"]], endTime = given[["TO"]], format = format, ...)
  query <- paste(names(asked), vapply(asked, URLencode, "", reserved = TRUE), sep = "=", collapse = "&")
  download.file(paste0(given[["URL"]], "/historic?", query), file, quiet = TRUE, headers = c("X-Api-Key" = given[["KEY"]]))
  file
}
case <- function(name, work) {
  tryCatch({ work(); cat("ok", name, "\n") }, error = function(problem) cat("FAULT", name, conditionMessage(problem), "\n"))
}
case("CSV, layout LONG, by readr", function() {
  frame <- read_csv(fetched("CSV", layout = "LONG"), col_types = cols(value = col_character()), na = "", progress = FALSE)
  stopifnot(nrow(problems(frame)) == 0, inherits(frame$time, "POSIXct"))
  stopifnot(identical(names(frame), c("time", "node", "name", "value", "units", "quality", "annotation")))
  numbers <- frame[frame$node == given[["number"]], ]
  stopifnot(nrow(numbers) == 219, sum(is.na(numbers$value)) == 22, all(numbers$units == "m\u00b3/s"))
  stopifnot(sum(frame$node == given[["text"]]) == 6, "007" %in% frame$value, "NA" %in% frame$value)
})
case("RDB by readr", function() {
  file <- fetched("RDB")
  lines <- read_lines(file)
  head <- sum(startsWith(lines, "#"))
  titles <- strsplit(lines[head + 1], "\t")[[1]]
  frame <- read_tsv(file, skip = head + 2, col_names = titles, quote = "", show_col_types = FALSE, progress = FALSE)
  stopifnot(nrow(problems(frame)) == 0, is.numeric(frame[[given[["number"]]]]), sum(!is.na(frame[[given[["number"]]]])) == 197)
  stopifnot(all(frame$site_no == "site-1"), all(frame$tz_cd == "UTC"))
})
