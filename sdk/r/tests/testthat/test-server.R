# Against a real server: what was written is read, whatever it is.

skip_if(!nzchar(Sys.getenv("CATCHMENT_URL")), "CATCHMENT_URL and CATCHMENT_KEY are not set (npm run test:sdk)")
MODEL <- "io.svc.models.node"
DEADLINE_SECONDS <- 30

make <- function(con, kind, name, parent = NULL, ...) {
  body <- c(list("_class" = paste0(MODEL, ".", kind), name = name), if (!is.null(parent)) list(parentId = parent), list(...))
  call_api(con, "createNode", body)[["_id"]]
}

word <- function() substr(random_id(), 1, 8)

site <- function(con) {
  workspace <- make(con, "Workspace", paste("R", word()))
  list(workspace = workspace, location = make(con, "location.Location", "Weir at Mill", workspace))
}

# A new source with parameters of these kinds, by their names, which are their series too.
logger <- function(con, site, ...) {
  source <- make(con, "source.data.Jts", paste0("S", word()), site$location)
  kinds <- c(...)
  nodes <- vapply(names(kinds), function(name) make(con, sprintf("point.%sPoint", kinds[[name]]), name, source), "")
  list(source = source, nodes = nodes)
}

until <- function(look, what) {
  end <- Sys.time() + DEADLINE_SECONDS
  repeat {
    found <- look()
    if (!is.null(found)) return(found)
    if (Sys.time() > end) stop(what)
    Sys.sleep(0.05)
  }
}

plain <- function(frame) {
  attr(frame, "catchment") <- NULL
  frame
}

# Milliseconds around the days on which the clocks of Berlin and Sydney change, and of a year.
random_times <- function(size) {
  from <- c(1711839600000, 1729990800000, 1712415600000)[[sample(3, 1)]]
  some <- c(from + floor(stats::runif(size) * 14400000), 1704067200000 + floor(stats::runif(2) * 31622400000))
  unique(sample(some))
}

pick <- function(values, size) sample(values, size, replace = TRUE)

random_frame <- function() {
  times <- random_times(sample(10, 1))
  size <- length(times)
  numbers <- c(NA, 0.1, 1 / 3, -1e21, 5e-324, 1.7976931348623157e308, 2^53, 123456789.123456789, stats::rnorm(3), stats::runif(3) * 10^sample(-300:300, 3))
  texts <- c(NA, "", " ", "NA", "a\"b\\c", "line\nbreak\r\n", "tab\t,;", "\u00fc\u6c34\U0001f30a", "\001", "007", "1e5")
  quality <- c(NA, NA, 0L, 149L, 158L, 65535L)
  annotation <- c(NA, NA, "by hand", "\"quoted\", with\nbreaks", "NA", "\u6c34", "a\rb")
  seen <- c(NA, -5364662400000, 253370764799999, 1711839600123)
  tibble::tibble(
    time = of_ms(times),
    level = pick(numbers, size), `level [Quality]` = pick(quality, size), `level [Annotation]` = pick(annotation, size),
    note = pick(texts, size), `note [Quality]` = pick(quality, size), `note [Annotation]` = pick(annotation, size),
    seen = of_ms(pick(seen, size)), `seen [Quality]` = pick(quality, size), `seen [Annotation]` = NA_character_
  )
}

test_that("what was written is read: qualities, annotations, texts, times, gaps, days of summer time", {
  con <- connect()
  site <- site(con)
  seed <- as.integer(Sys.getenv("CATCHMENT_SEED", sample.int(1e6, 1)))
  set.seed(seed)
  for (example in seq_len(as.integer(Sys.getenv("CATCHMENT_EXAMPLES", "10")))) {
    about <- sprintf("CATCHMENT_SEED=%d, example %d", seed, example)
    logger <- logger(con, site, level = "Number", note = "Text", seen = "Time")
    frame <- random_frame()
    write(con, logger$source, frame, wait = "readable")
    # A row without anything is none.
    expected <- frame[rowSums(!is.na(frame[-1])) > 0, ]
    expected <- expected[order(expected$time), ]
    tz <- pick(list(NULL, "Europe/Berlin", "Australia/Sydney"), 1)[[1]]
    found <- plain(read(con, logger$nodes, "2023", "2026", tz = tz))
    expect_identical(as.list(found), as.list(expected), info = about)
    # Numbers alone come as CSV.
    level <- c("time", "level", "level [Quality]", "level [Annotation]")
    numbers <- expected[rowSums(!is.na(expected[level[-1]])) > 0, level]
    expect_identical(as.list(plain(read(con, logger$nodes["level"], "2023", "2026", tz = tz))), as.list(numbers), info = about)
    if (nrow(expected) > 1) {
      within <- read(con, logger$nodes, expected$time[[1]], expected$time[[2]])
      # The start is included, the end is not.
      expect_identical(within$time, expected$time[1], info = about)
    }
  }
})

test_that("coordinates of a Location", {
  con <- connect()
  site <- site(con)
  frame <- tibble::tibble(time = as.POSIXct(c("2024-06-01", "2024-06-02"), tz = "UTC"), place = list(c(-33.5, 151.25), c(1, 2)))
  write(con, site$location, frame, wait = "readable")
  found <- read(con, c(place = site$location), "2024", "2025")
  expect_equal(found$place, frame$place)
  expect_equal(attr(found, "catchment")$types, c(place = "COORDINATES"))
})

test_that("days are those of the zone when the clock changes", {
  con <- connect()
  logger <- logger(con, site(con), level = "Number")
  hours <- seq(as.POSIXct("2024-03-30", tz = "Europe/Berlin"), as.POSIXct("2024-04-02", tz = "Europe/Berlin") - 1, by = 3600)
  write(con, logger$source, data.frame(time = hours, level = seq_along(hours)), wait = "readable", units = c(level = "m"))
  days <- read(con, logger$nodes, "2024-03-30", "2024-04-02", aggregate = "COUNT", interval = "1D", tz = "Europe/Berlin")
  expect_equal(days$level, c(24, 23, 24))
  expect_equal(format(days$time, "%d %H:%M", tz = "Europe/Berlin"), c("30 00:00", "31 00:00", "01 00:00"))
  expect_equal(attr(days$time, "tzone"), "UTC")
  expect_equal(attr(days, "catchment")$aggregates, c(level = "COUNT"))
  empty <- read(con, logger$nodes, "2024-05-01", "2024-05-03", aggregate = "AVERAGE", interval = "1D")
  expect_equal(empty$level, c(NA_real_, NA_real_))
  expect_equal(empty[["level [Quality]"]], c(165L, 165L))
  # The first record of each half is the lowest, and the last is the highest.
  expect_equal(nrow(read(con, logger$nodes, "2024-03-30", "2024-04-02", maxPoints = 8)), 4)
})

test_that("a large series is written and read in parts", {
  con <- connect()
  logger <- logger(con, site(con), level = "Number")
  set.seed(7)
  frame <- data.frame(time = as.POSIXct("2024-01-01", tz = "UTC") + 60 * 0:59999, level = stats::rnorm(60000))
  expect_equal(write(con, logger$source, frame, wait = "readable")$parts, 2)
  found <- read(con, logger$nodes, "2024", "2025")
  expect_identical(found$level, frame$level)
  expect_identical(as.numeric(found$time), as.numeric(frame$time))
  # 50 000 intervals of a column are the most of one answer.
  minutes <- read(con, logger$nodes, "2024-01-01", "2024-02-11", aggregate = "MAX", interval = "1M")
  expect_identical(minutes$level, frame$level[1:59040])
})

test_that("changes, events and the tree", {
  con <- connect()
  site <- site(con)
  logger <- logger(con, site, level = "Number")
  began <- Sys.time()
  time <- as.POSIXct("2024-01-01", tz = "UTC")
  write(con, logger$source, tibble::tibble(time = time, level = 1.25, `level [Quality]` = 100L, `level [Annotation]` = "by hand"), wait = "readable")
  found <- until(function() {
    found <- changes(con, logger$nodes, since = began - 1)
    if (nrow(found)) found
  }, "the change is reported")
  expect_equal(as.list(found), list(
    node = unname(logger$nodes), time = time, value = 1.25, text = NA_character_, quality = 100L, annotation = "by hand"
  ), ignore_attr = TRUE)
  # Nothing new: the last page once more.
  expect_equal(changes(con, after = attr(found, "place"))$value, 1.25)
  path <- sprintf("%s/Weir at Mill/*/level", call_api(con, "getNode", id = site$workspace, attr = "name")$name)
  expect_equal(tree(con, path)$id, unname(logger$nodes))
  expect_equal(tree(con, path)$depth, 3L)

  call_api(con, "updateNode", list(name = "Renamed gauge"), id = logger$nodes[["level"]])
  logged <- until(function() {
    logged <- events(con, "CONFIGURATION", start = began - 1)
    if (any(grepl("Renamed gauge", logged$message))) logged
  }, "the event is reported")
  expect_s3_class(logged$time, "POSIXct")
})

test_that("events are followed as they happen, and gone on with", {
  con <- connect()
  site <- site(con)
  # A stream begins with what comes from now on, and R waits while it follows: another process makes something happen meanwhile.
  script <- sprintf(
    "library(catchment); con <- connect(); for (n in 1:100) { call_api(con, 'updateNode', list(name = paste('Renamed', n)), id = '%s'); Sys.sleep(0.2) }",
    site$location
  )
  pids <- withr::local_tempfile()
  system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(sprintf("writeLines(as.character(Sys.getpid()), '%s'); %s", pids, script))), wait = FALSE, stdout = FALSE, stderr = FALSE)
  withr::defer(tools::pskill(as.integer(readLines(pids))))
  first <- NULL
  place <- events(con, "CONFIGURATION", filter = sprintf("nodeId($eq:%s)", site$location), follow = function(event) {
    first <<- event
    FALSE
  })
  expect_match(first$message, "node")
  expect_true(nzchar(place))
  again <- NULL
  events(con, "CONFIGURATION", filter = sprintf("nodeId($eq:%s)", site$location), after = place, follow = function(event) {
    again <<- event
    FALSE
  })
  expect_match(again$message, "Rename")
  expect_false(identical(first, again))
})

test_that("what the server refuses has its class, and the key is not in it", {
  con <- connect()
  logger <- logger(con, site(con), level = "Number", note = "Text")
  node <- logger$nodes[["level"]]
  reader <- connect(con$url, Sys.getenv("CATCHMENT_READER_KEY"))
  frame <- data.frame(time = "2024-01-01T00:00Z", a = 1)
  refused <- list(
    list(function() tree(connect(con$url, strrep("x", 40))), "catchment_authentication_error"),
    list(function() write(reader, node, frame), "catchment_permission_denied"),
    list(function() read(con, "@nowhere-at-all", limit = 1), "catchment_not_found"),
    list(function() read(con, node, "2024", "2025", qualityExcluded = "UGLY"), "catchment_bad_request"),
    list(function() read(con, node, "1900", "2024", aggregate = "AVERAGE", interval = "1S", base_time = "D+9H"), "catchment_too_large"),
    list(function() write(con, logger$nodes[["note"]], frame), "catchment_bad_request"),
    list(function() tree(connect("http://127.0.0.1:1", "k", tries = 1)), "catchment_transport_error")
  )
  for (case in refused) {
    error <- expect_error(case[[1]](), class = case[[2]])
    if (inherits(error, "catchment_api_error")) expect_true(nzchar(error$request_id) && nzchar(error$reason))
    expect_false(grepl(Sys.getenv("CATCHMENT_KEY"), conditionMessage(error), fixed = TRUE))
  }
  # Nothing of a write that is refused is stored.
  expect_equal(nrow(read(con, logger$nodes, "2024", "2025")), 0)
})

test_that("httr2 shows no key of a request", {
  con <- connect()
  shown <- shown_by({
    httr2::with_verbosity(tree(con), 3)
    print(httr2::last_request())
  })
  expect_true(any(grepl("/api/v1/nodes", shown, fixed = TRUE)))
  expect_false(any(grepl(Sys.getenv("CATCHMENT_KEY"), shown, fixed = TRUE)))
})
