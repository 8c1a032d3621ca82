# A read asks for this, and its answers become these tibbles.

test_that("a range is [start, end), bounds without a zone are in tz, and tz has daylight saving time", {
  cases <- list(
    list("2024-01", "2025-01", NULL, "2024-01-01T00:00:00.000Z", "2024-12-31T23:59:59.999Z"),
    list("2024", "2024-01-01T00:00:01", NULL, "2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00.999Z"),
    list("2024-01", "2024-07", "Australia/Sydney", "2023-12-31T13:00:00.000Z", "2024-06-30T13:59:59.999Z"),
    list("2024-01-01T00:00+02:00", "2024-01-02T00:00:00.1234567Z", "Australia/Sydney", "2023-12-31T22:00:00.000Z", "2024-01-02T00:00:00.122Z"),
    list(as.Date("2024-01-01"), as.POSIXct("2024-01-02", tz = "UTC"), NULL, "2024-01-01T00:00:00.000Z", "2024-01-01T23:59:59.999Z"),
    list("yesterday", "today", NULL, "2023-11-13T00:00:00.000Z", "2023-11-13T23:59:59.999Z"),
    list("NOW-7D", "NOW", NULL, "2023-11-07T22:13:20.000Z", "2023-11-14T22:13:19.999Z"),
    list("MO-1MO", "D+9H", "Europe/Berlin", "2023-09-30T22:00:00.000Z", "2023-11-14T07:59:59.999Z"),
    # A time that the clock skips moves forward, of one that comes twice the earlier counts.
    list("2024-03-31T02:30", "2024-10-27T02:30", "Europe/Berlin", "2024-03-31T01:30:00.000Z", "2024-10-27T00:29:59.999Z")
  )
  for (case in cases) {
    fake <- fake(document(), csv())
    read(fake$con, "@a", case[[1]], case[[2]], tz = case[[3]])
    asked <- query_of(last(fake))
    expect_equal(asked[c("startTime", "endTime")], list(startTime = case[[4]], endTime = case[[5]]))
    expect_equal(asked$timezoneAdjustForDst, if (!is.null(case[[3]])) "TRUE")
    expect_equal(asked$timezone, case[[3]])
  }
})

test_that("what cannot be read is reported before anything is sent", {
  cases <- list(
    list(list(start = "soon", end = "2025"), "start"),
    list(list(start = "2024", end = "2024-13"), "end"),
    list(list(start = "2025", end = "2024"), "start"),
    list(list(start = "2024"), "end"),
    list(list(start = "1799", end = "2024"), "start"),
    list(list(start = NA, end = "2024"), "start"),
    list(list(start = 20240101, end = "2025"), "start"),
    list(list(start = "2024", end = "2025", tz = "Mars/Base"), "tz"),
    list(list(start = "2024", end = "2025", aggregate = "AVERAGE"), "interval"),
    list(list(start = "2024", end = "2025", aggregate = "AVERAGE", interval = "often"), "interval"),
    list(list(limit = 1, agregate = "AVERAGE"), "agregate"),
    list(list(limit = 1, format = "CSV"), "format"),
    list(list(nodes = character(), limit = 1), "nodes"),
    list(list(nodes = c("@a", "@a"), limit = 1), "nodes"),
    list(list(nodes = "@a(aggregate:MAX)", limit = 1), "nodes"),
    list(list(limit = 1, format = "CSV"), "format")
  )
  for (case in cases) {
    fake <- fake(document())
    given <- utils::modifyList(list(nodes = "@a"), case[[1]])
    error <- expect_error(do.call(read, c(list(fake$con), given)), class = "catchment_argument_error")
    expect_equal(error$argument, case[[2]])
    expect_length(fake$requests, 0)
  }
})

test_that("numbers come by readr, missing is NA with its quality kept, units, names and zone are attributes", {
  fake <- fake(document(), csv("1717200000000,1.5,100,\"by \"\"hand\"\"\"", "1717200000123,,158,", "1717200000124,0.1,,\" NA\""))
  frame <- read(fake$con, c(level = "@a"), "2024", "2025", tz = "Australia/Sydney")
  expect_s3_class(frame, "tbl_df")
  expect_equal(names(frame), c("time", "level", "level [Quality]", "level [Annotation]"))
  expect_equal(attr(frame$time, "tzone"), "UTC")
  expect_identical(as.numeric(frame$time), c(1717200000000, 1717200000123, 1717200000124) / 1000)
  expect_identical(frame$level, c(1.5, NA, 0.1))
  expect_identical(frame[["level [Quality]"]], c(100L, 158L, NA))
  expect_identical(frame[["level [Annotation]"]], c("by \"hand\"", NA, " NA"))
  about <- attr(frame, "catchment")
  expect_equal(about$units, c(level = "m"))
  expect_equal(about$names, c(level = "Level"))
  expect_equal(about$zone, "Australia/Sydney")
  bare <- fake(document(), csv())
  expect_equal(names(read(bare$con, c(level = "@a"), limit = 1, flags = FALSE)), c("time", "level"))
})

test_that("a number of CSV is the one that was printed, to the last digit", {
  texts <- c("1.3742482340971789", "-0.24999979069299819", "1.7976931348623157e+308", "5e-324", "1e+21", "0.1", "-3")
  fake <- fake(document(), csv(sprintf("%d,%s,,", 1:7, texts)))
  found <- read(fake$con, "@a", "1970", "1971")[["@a"]]
  expect_identical(sprintf("%.17g", found), c("1.3742482340971789", "-0.24999979069299819", "1.7976931348623157e+308", "4.9406564584124654e-324", "1e+21", "0.10000000000000001", "-3"))
})

test_that("texts, times and coordinates have their types, and an empty text is not a missing one", {
  columns <- list(
    NUMBER, list(id = strrep("2", 24), name = "Note", dataType = "TEXT"), list(id = strrep("3", 24), name = "Seen", dataType = "TIME"),
    list(id = strrep("4", 24), name = "Place", dataType = "COORDINATES"), list(id = strrep("5", 24), name = "State", dataType = "NUMBER", renderType = "STATE")
  )
  rows <- c(
    "{\"ts\":\"2024-06-01T10:00:00.000+10:00\",\"f\":{\"0\":{\"v\":1,\"q\":100,\"a\":\"ok\"},\"1\":{\"v\":\"\"}}}",
    "{\"ts\":\"2024-06-01T10:00:00.001+10:00\",\"f\":{\"0\":{\"q\":158},\"2\":{\"v\":{\"$time\":\"1801-01-01T00:00:00.000Z\"}}}}",
    "{\"ts\":\"2024-06-01T10:00:00.002+10:00\",\"f\":{\"3\":{\"v\":{\"$coords\":[-33.8,151.2]}},\"4\":{\"v\":\"HIGH\"}}}"
  )
  fake <- fake(document(rows, columns))
  frame <- read(fake$con, c(level = "@a", note = "@b", seen = "@c", place = "@d", state = "@e"), "2024", "2025", flags = FALSE)
  expect_null(query_of(last(fake))$format)
  expect_equal(frame$time, as.POSIXct("2024-06-01", tz = "UTC") + 0:2 / 1000)
  expect_identical(frame$level, c(1, NA, NA))
  expect_identical(frame$note, c("", NA, NA))
  expect_equal(frame$seen, as.POSIXct(c(NA, "1801-01-01", NA), tz = "UTC"))
  expect_equal(frame$place, list(NULL, NULL, c(-33.8, 151.2)))
  expect_identical(frame$state, c(NA, NA, "HIGH"))
})

test_that("a range that is too large is read in halves, and what was learnt is kept", {
  day <- 86400000
  of_range <- function(request) {
    asked <- query_of(request)
    if (!is.null(asked$limit)) return(document())
    start <- ms_of_iso(asked$startTime)
    end <- ms_of_iso(asked$endTime)
    if (end - start > 100 * day) return(refusal(413, "Request or response too large"))
    ms <- seq(ceiling(start / day) * day, end, by = day)
    csv(sprintf("%.0f,%.0f,,", ms, ms / day))
  }
  fake <- fake(of_range)
  frame <- read(fake$con, "@a", "2024", "2025")
  expect_equal(nrow(frame), 366)
  expect_true(all(diff(as.numeric(frame$time)) == 86400))
  # The first request gets the types; 366 and 183 days are refused once each; then four parts.
  expect_length(fake$requests, 7)
})

test_that("intervals are cut where one begins on the clock of the zone", {
  seen <- character()
  of_range <- function(request) {
    asked <- query_of(request)
    if (!is.null(asked$limit)) return(document())
    if (ms_of_iso(asked$endTime) - ms_of_iso(asked$startTime) > 200 * 86400000) return(refusal(413))
    seen <<- c(seen, asked$startTime, asked$endTime)
    csv()
  }
  fake <- fake(of_range)
  read(fake$con, "@a", "2024", "2025", aggregate = "AVERAGE", interval = "1D", tz = "Australia/Sydney")
  expect_equal(seen, c("2023-12-31T13:00:00.000Z", "2024-06-30T14:00:00.000Z", "2024-06-30T14:00:00.000Z", "2024-12-31T13:00:00.000Z"))
  expect_equal(query_of(last(fake))$baseTime, "D")
})

test_that("a year of intervals is cut only where nothing changes by it", {
  cases <- list(
    list("D", "1D", "UTC", "2024-07-02T00:00:00.000Z"), list("D", "15M", "UTC", "2024-07-02T00:00:00.000Z"),
    list("D", "5H", "UTC", "2024-07-04T00:00:00.000Z"), list("D", "7D", "UTC", "2024-07-01T00:00:00.000Z"),
    list("MO", "1MO", "UTC", "2024-07-01T00:00:00.000Z"), list("Y", "3MO", "UTC", NULL),
    list("W", "1W", "UTC", "2024-07-01T00:00:00.000Z"),
    # Six hours of elapsed time from midnight in winter are not those from midnight in summer.
    list("D", "6H", "Europe/Berlin", "2024-03-30T23:00:00.000Z"),
    list("D+9H", "1D", "UTC", NULL), list("NOW", "1MO", "UTC", NULL), list("D", "1D12H", "UTC", NULL)
  )
  window <- ms_of_iso(c("2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"))
  for (case in cases) {
    cut <- halves(window, list(base = case[[1]], interval = case[[2]], zone = case[[3]]))
    expect_equal(if (!is.null(cut)) iso(cut[[2]][[1]]), case[[4]], info = paste(unlist(case), collapse = " "))
  }
})

test_that("what cannot be cut is reported", {
  for (given in list(list(aggregate = "CHANGE"), list(limit = 5), list(aggregate = "AVERAGE", interval = "1D", base_time = "D+9H"), list(baselineType = "RELATIVE"))) {
    fake <- fake(document(), refusal(413, "Request or response too large"))
    expect_error(do.call(read, c(list(fake$con, "@a", "2024", "2025"), given)), "shorter range", class = "catchment_too_large")
    expect_length(fake$requests, 2)
  }
})

test_that("an answer that is cut off is asked for again, and nothing of it is kept", {
  whole <- c("1717200000000,1,,", "1717203600000,2,,")
  fake <- fake(document(), EOF_FAILURE, answer(body = "1717200000000,9,,\n17172036", type = "text/csv"), csv("1717200000000,9"), csv(whole))
  frame <- read(fake$con, "@a", "2024-01-01", "2025-01-02")
  expect_equal(frame[["@a"]], c(1, 2))
  expect_length(fake$requests, 5)
  fake <- fake(document(), answer(body = "1717200000000,9,", type = "text/csv"))
  expect_error(read(fake$con, "@a", "2024", "2025"), "cut off", class = "catchment_cut_stream_error")
  expect_length(fake$requests, 6)
  fake <- fake(answer(body = "{\"docType\":\"jts\",\"header\":{\"columns\":{}},\"data\":[{\"ts\":\"2024"))
  expect_error(read(fake$con, "@a", "2024", "2025"), "cut off", class = "catchment_cut_stream_error")
})

test_that("many series are read by several requests and joined on equal times", {
  nodes <- sprintf("@station-%d", 1:150)
  count <- 0
  of_part <- function(request) {
    asked <- query_of(request)
    size <- length(strsplit(asked$params, ",")[[1]])
    expect_lt(nchar(request$url), 4096)
    if (!is.null(asked$limit)) return(document(columns = rep(list(NUMBER), size)))
    count <<- count + 1
    cells <- paste(sprintf(",%d,,", seq_len(size)), collapse = "")
    csv(paste0("1704067200000", cells), paste0(1704067200000 + count * 3600000, ",9,,", strrep(",,,", size - 1)))
  }
  fake <- fake(of_part)
  frame <- read(fake$con, nodes, "2024", "2025", flags = FALSE)
  expect_equal(names(frame), c("time", nodes))
  expect_equal(count, 2)
  expect_equal(nrow(frame), 3)
  expect_true(is.na(frame[[2, 151]]))
})
