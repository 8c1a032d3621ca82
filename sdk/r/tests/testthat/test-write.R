# A write sends this, in these parts, and refuses that.

source_node <- function() json("_class" = "io.svc.models.node.source.data.Jts")
parameter <- function() json("_class" = "io.svc.models.node.point.NumberPoint")

test_that("a frame becomes a document with gaps, flags and all types", {
  frame <- tibble::tibble(
    time = HOURS, level = c(1.5, NA, NaN), `level [Quality]` = c(100L, 158L, NA), `level [Annotation]` = c("by \"hand\"\n", NA, NA),
    note = c("a", NA, "\u00fc\\"), seen = HOURS[c(1, NA, NA)], count = c(1L, NA, 3L), on = c(TRUE, FALSE, TRUE),
    place = list(c(-33.5, 151.25), NULL, NULL)
  )
  fake <- fake(source_node(), accepted())
  result <- write(fake$con, "@mill", frame, units = c(level = "m"), notify_on = "NONE")
  expect_equal(path_of(last(fake)), "/api/v1/nodes/@mill/historic")
  expect_equal(query_of(last(fake)), list(writeMode = "MERGE_OVERWRITE_EXISTING", notifyOn = "NONE"))
  body <- body_of_request(last(fake))
  columns <- body$header$columns
  expect_equal(vapply(columns, `[[`, "", "dataType"), c("NUMBER", "TEXT", "TIME", "NUMBER", "NUMBER", "COORDINATES"), ignore_attr = TRUE)
  expect_equal(columns[["0"]], list(dataType = "NUMBER", series = "level", name = "level", units = "m"))
  expect_equal(vapply(body$data, `[[`, 0, "ts"), as.numeric(HOURS) * 1000)
  expect_equal(body$data[[1]]$f, list(
    "0" = list(v = 1.5, q = 100L, a = "by \"hand\"\n"), "1" = list(v = "a"), "2" = list(v = list("$time" = "2024-01-01T00:00:00.000Z")),
    "3" = list(v = 1L), "4" = list(v = 1L), "5" = list(v = list("$coords" = list(-33.5, 151.25)))
  ))
  expect_equal(body$data[[2]]$f, list("0" = list(q = 158L), "4" = list(v = 0L)))
  expect_equal(body$data[[3]]$f, list("1" = list(v = "\u00fc\\"), "3" = list(v = 3L), "4" = list(v = 1L)))
  expect_equal(result[c("records", "parts")], list(records = 11, parts = 1L))
})

test_that("a frame is refused before anything is sent", {
  cases <- list(
    list(data.frame(time = "2024-01-01", a = 1), "tz = \"Australia/Sydney\"", "catchment_time_without_zone"),
    list(data.frame(time = as.Date("2024-01-01"), a = 1), "has no zone", "catchment_time_without_zone"),
    list(data.frame(time = HOURS[c(1, 1)], a = 1:2), "duplicated", "catchment_non_unique_times"),
    list(data.frame(time = HOURS[[1]] + c(0, 1e-5), a = 1:2), "milliseconds", "catchment_non_unique_times"),
    list(data.frame(time = HOURS, a = c(1, Inf, 3)), "infinite at 2024-01-01T01:00:00", "catchment_argument_error"),
    list(data.frame(a = 1), "column 'time'", "catchment_argument_error"),
    list(data.frame(time = 1:2, a = 1), "must be times", "catchment_argument_error"),
    list(data.frame(time = "soon", a = 1), "is no time", "catchment_argument_error"),
    list(data.frame(time = c(HOURS[[1]], NA), a = 1), "without a time", "catchment_argument_error"),
    list(data.frame(time = HOURS[[1]] - 1e10, a = 1), "1800 to 9998", "catchment_argument_error"),
    list(tibble::tibble(time = HOURS[[1]], a = 1, `a [Quality]` = 1.5), "0 to 65535", "catchment_argument_error"),
    list(tibble::tibble(time = HOURS[[1]], a = 1, `a [Quality]` = 65536), "0 to 65535", "catchment_argument_error"),
    list(tibble::tibble(time = HOURS[[1]], a = 1, `b [Quality]` = 1), "no column of values", "catchment_argument_error"),
    list(tibble::tibble(time = HOURS[[1]], a = 1, `a [Annotation]` = strrep("x", 501)), "500", "catchment_argument_error"),
    list(tibble::tibble(time = HOURS[1:2], a = list(1, "x")), "not list", "catchment_argument_error"),
    list(data.frame(time = HOURS), "no column", "catchment_argument_error"),
    list(c(1, 2), "data frame", "catchment_argument_error")
  )
  for (case in cases) {
    fake <- fake(accepted())
    expect_error(write(fake$con, "@a", case[[1]]), case[[2]], class = case[[3]])
    expect_length(fake$requests, 0)
  }
})

test_that("arguments of a write are checked", {
  fake <- fake(accepted())
  frame <- data.frame(time = HOURS, a = 1)
  for (given in list(list(mode = "UPSERT"), list(wait = "eventually"), list(units = c(b = "m")), list(tz = "Mars"))) {
    expect_error(do.call(write, c(list(fake$con, "@a", frame), given)), paste0("^", names(given)), class = "catchment_argument_error")
  }
  expect_length(fake$requests, 0)
})

test_that("local times need a clock that has them once", {
  fake <- fake(accepted())
  write(fake$con, "@a", data.frame(time = "2024-07-01T12:00", a = 1), tz = "Europe/Berlin")
  expect_equal(body_of_request(last(fake))$data[[1]]$ts, 1719828000000)
  for (text in c("2024-03-31T02:30", "2024-10-27T02:30")) {
    expect_error(write(fake$con, "@a", data.frame(time = text, a = 1), tz = "Europe/Berlin"), "none, or two, on the clock of Europe/Berlin")
  }
})

test_that("a large frame takes parts within the limits of the server, packed", {
  frame <- data.frame(time = HOURS[[1]] + 60 * 0:119999, a = as.numeric(0:119999))
  fake <- fake(accepted())
  result <- write(fake$con, "@a", frame[sample(nrow(frame)), ])
  expect_equal(result, list(records = 120000, parts = 3L, positions = character()))
  bodies <- lapply(fake$requests, body_of_request)
  expect_equal(lengths(lapply(bodies, `[[`, "data")), c(50000, 50000, 20000))
  expect_equal(bodies[[2]]$data[[1]]$f[["0"]]$v, 50000)
  expect_equal(unique(vapply(fake$requests, function(one) one$headers[["Content-Encoding"]], "")), "gzip")
  parts <- documents(table_of_frame(data.frame(time = frame$time[1:200], a = strrep("\u00fc", 20000)), NULL), "DISCARD", NULL)
  expect_gt(length(parts), 1)
  expect_true(all(lengths(lapply(parts, `[[`, "body")) < 5 * 1024 * 1024))
  expect_error(write(fake$con, "@a", frame, mode = "MERGE_FAIL_ON_EXISTING"), "all or nothing")
})

test_that("a range that is replaced reaches over the parts", {
  local_mocked_rows(2)
  table <- table_of_frame(data.frame(time = HOURS, a = c(1, NA, 3), b = c(1, 2, 3)), NULL)
  second <- jsonlite::fromJSON(rawToChar(documents(table, "INSERT_DELETE_EXISTING", NULL)[[2]]$body), simplifyVector = FALSE)
  first <- as.numeric(HOURS[[1]]) * 1000
  expect_equal(second$data, list(
    list(ts = first + 1, f = list("0" = NULL)), list(ts = first + 3600001, f = list("1" = NULL)),
    list(ts = first + 7200000, f = list("0" = list(v = 3L), "1" = list(v = 3L)))
  ))
})

test_that("deletions send markers", {
  frame <- data.frame(time = HOURS, a = 1:3)
  for (case in list(list("DELETE", 3), list("DELETE_RANGE", 2))) {
    fake <- fake(accepted())
    write(fake$con, "@a", frame, mode = case[[1]])
    rows <- body_of_request(last(fake))$data
    expect_length(rows, case[[2]])
    expect_true(all(vapply(rows, function(row) is.null(row$f[["0"]]) && "0" %in% names(row$f), NA)))
  }
})

test_that("what is half written is reported", {
  local_mocked_rows(1)
  fake <- fake(accepted(), refusal(403, "Not permitted"))
  error <- expect_error(
    write(fake$con, "@a", data.frame(time = HOURS, a = c(1, 2, 3))),
    "1 of 3 parts are stored, 1 records, all columns up to 2024-01-01T00:00:00.000Z", class = "catchment_partial_write"
  )
  expect_equal(error[c("parts", "records", "until")], list(parts = 1L, records = 1, until = "2024-01-01T00:00:00.000Z"))
  expect_s3_class(error$parent, "catchment_permission_denied")
})

test_that("what is half written of many columns is safe in all of them", {
  columns <- stats::setNames(as.list(seq_len(101)), sprintf("@c%d", seq_len(101)))
  frame <- tibble::as_tibble(c(list(time = HOURS[[1]]), columns))
  error <- expect_error(write(fake(accepted(), refusal(403, "Not permitted"))$con, NULL, frame), class = "catchment_partial_write")
  expect_equal(error[c("parts", "until")], list(parts = 1L, until = "2023-12-31T23:59:59.999Z"))
})

test_that("a frame without rows writes nothing", {
  expect_equal(write(fake(accepted())$con, "@a", data.frame(time = HOURS[0], a = numeric()))$records, 0)
})

test_that("several columns need a source or their nodes", {
  frame <- tibble::tibble(time = HOURS[[1]], `@a` = 1, `@b` = 2)
  expect_error(write(fake(parameter())$con, "@c", frame), "@c is one series")
  expect_error(write(fake(accepted())$con, NULL, stats::setNames(frame, c("time", "level", "@b"))), "'level' is none")
  fake <- fake(accepted())
  write(fake$con, NULL, frame)
  expect_equal(path_of(last(fake)), "/api/v1/historic")
  expect_equal(vapply(body_of_request(last(fake))$header$columns, `[[`, "", "id"), c("@a", "@b"), ignore_attr = TRUE)
  moved <- fake(parameter(), accepted())
  write(moved$con, "@c", frame[c("time", "@a")])
  expect_null(body_of_request(last(moved))$header$columns[["0"]]$id)
})

test_that("a write waits until reads have it", {
  stored <- answer(202, "{\"write\":\"w/1\"}")
  fake <- fake(stored, json(durable = TRUE, readable = FALSE), json(durable = TRUE, readable = TRUE))
  result <- write(fake$con, "@a", data.frame(time = HOURS, a = 1), wait = "readable")
  expect_equal(result$positions, "w/1")
  expect_match(last(fake)$url, "/api/v1/writes/w%2F1?wait=10", fixed = TRUE)
  expect_error(
    write(fake(accepted())$con, "@a", data.frame(time = HOURS, a = 1), wait = "readable"), "durable", class = "catchment_unsupported"
  )
})
