# These calls are tried again, after so long, and report this when that does not help.

get_node <- function(con) call_api(con, "getNode", id = "@a")

test_that("a read is tried again after what the server asks for, or a time that grows", {
  date <- "Tue, 14 Nov 2023 23:00:00 GMT"
  cases <- list(
    list("429 with seconds", refusal(429, headers = list("Retry-After" = "7")), 7.95),
    list("429 with a date of the server's clock", refusal(429, headers = list("Retry-After" = "Tue, 14 Nov 2023 23:00:09 GMT", Date = date)), 10.15),
    list("429 without Retry-After", refusal(429), 1),
    list("429 with a Retry-After that cannot be read", refusal(429, headers = list("Retry-After" = "soon")), 1),
    list("503", refusal(503, headers = list("Retry-After" = "30")), 32),
    list("502 of a proxy", page(502), 1),
    list("no connection", REFUSED, 1),
    list("a connection that breaks", EOF_FAILURE, 1)
  )
  for (case in cases) {
    fake <- fake(case[[2]], json("_id" = "1"))
    expect_equal(get_node(fake$con), list("_id" = "1"), info = case[[1]])
    expect_equal(fake$slept, case[[3]], info = case[[1]])
  }
})

test_that("a failure is reported by its class after so many tries", {
  cases <- list(
    list(refusal(429), "catchment_rate_limited", 5),
    list(refusal(503), "catchment_unavailable", 5),
    list(EOF_FAILURE, "catchment_cut_stream_error", 5),
    list(REFUSED, "catchment_transport_error", 5),
    list(SLOW, "catchment_transport_error", 5),
    list(refusal(429, headers = list("Retry-After" = "3600")), "catchment_rate_limited", 1),
    list(refusal(400, "name: must be a text"), "catchment_bad_request", 1),
    list(refusal(401, "Unauthorized: authentication failed"), "catchment_authentication_error", 1),
    list(refusal(403, "Not permitted"), "catchment_permission_denied", 1),
    list(refusal(404, "Requested resource not found"), "catchment_not_found", 1),
    list(refusal(412, "If-Match: the node has changed"), "catchment_changed", 1),
    list(refusal(413, "Request or response too large"), "catchment_too_large", 1),
    list(refusal(500, "Internal server error"), "catchment_server_error", 1),
    list(page(502), "catchment_unexpected_answer", 5),
    list(page(404), "catchment_unexpected_answer", 1),
    list(page(200), "catchment_unexpected_answer", 1),
    list(answer(302, "", headers = list(Location = "https://elsewhere.test/login")), "catchment_unexpected_answer", 1)
  )
  for (case in cases) {
    fake <- fake(case[[1]])
    error <- expect_error(get_node(fake$con), class = case[[2]])
    expect_equal(class(error)[[1]], case[[2]])
    expect_length(fake$requests, case[[3]])
    expect_length(fake$slept, case[[3]] - 1)
    expect_false(grepl(KEY, paste(utils::capture.output(print(error), utils::str(unclass(error))), collapse = ""), fixed = TRUE))
  }
})

test_that("a refusal says what, which request, and what to do", {
  fake <- fake(refusal(400, "startTime: must be a time", list("X-Request-Id" = "r-7")))
  error <- expect_error(get_node(fake$con), class = "catchment_bad_request")
  expect_equal(error[c("status", "reason", "argument")], list(status = 400, reason = "A_REASON", argument = "startTime"), ignore_attr = TRUE)
  expect_equal(
    conditionMessage(error),
    "startTime: must be a time (400, A_REASON, request r-7): change the argument that is named; nothing was changed on the server"
  )
})

test_that("what changes something is sent again with the same Idempotency-Key", {
  for (failure in list(refusal(429), refusal(503), EOF_FAILURE, REFUSED)) {
    fake <- fake(failure, answer(201, "{\"_id\":\"1\"}"))
    call_api(fake$con, "createNode", list(name = "New"))
    keys <- vapply(fake$requests, function(one) one$headers[["Idempotency-Key"]], "")
    expect_equal(keys[[1]], keys[[2]])
    expect_equal(nchar(keys[[1]]), 32)
  }
})

test_that("a write that fails on what exists has an Idempotency-Key, and a merge has none", {
  fake <- fake(accepted())
  frame <- data.frame(time = HOURS[1], a = 1)
  write(fake$con, "@a", frame, mode = "MERGE_FAIL_ON_EXISTING")
  write(fake$con, "@a", frame)
  expect_equal(vapply(fake$requests, function(one) is.null(one$headers[["Idempotency-Key"]]), NA), c(FALSE, TRUE))
})

test_that("half of the wait is by chance", {
  local_the(random = function() 0)
  expect_equal(vapply(c(1, 2, 3, 9), backoff, 0), c(0.5, 1, 2, 15))
  local_the(random = function() 1)
  expect_equal(vapply(c(1, 2, 3, 9), backoff, 0), c(1, 2, 4, 30))
})

test_that("the random numbers of the user stay as they were", {
  set.seed(1)
  expected <- stats::runif(1)
  set.seed(1)
  backoff(1)
  random_id()
  expect_equal(stats::runif(1), expected)
})

test_that("a connection that ends in the middle of an answer is known, of a real socket", {
  file <- withr::local_tempfile(fileext = ".R")
  started <- withr::local_tempfile(lines = character())
  writeLines(c(
    "port <- 20000L + Sys.getpid() %% 20000L",
    "repeat { server <- tryCatch(serverSocket(port), error = function(e) NULL); if (!is.null(server)) break; port <- port + 1L }",
    sprintf("writeLines(paste(Sys.getpid(), port), '%s')", started),
    "for (n in 1:2) {",
    "  connection <- socketAccept(server, blocking = TRUE, open = 'r+b', timeout = 60)",
    "  while (nzchar(readLines(connection, 1))) NULL",
    "  head <- 'HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: 1000\\r\\n\\r\\n{'",
    "  writeBin(charToRaw(head), connection)",
    "  close(connection)",
    "}"
  ), file)
  system2(file.path(R.home("bin"), "Rscript"), file, wait = FALSE, stdout = FALSE, stderr = FALSE)
  end <- Sys.time() + 60
  while (length(readLines(started, warn = FALSE)) == 0 && Sys.time() < end) Sys.sleep(0.05)
  server <- as.integer(strsplit(readLines(started), " ")[[1]])
  withr::defer(tools::pskill(server[[1]]))
  local_the(sleep = function(seconds) NULL)
  con <- connect(sprintf("http://127.0.0.1:%d", server[[2]]), "k", tries = 2)
  error <- expect_error(tree(con), "cut off", class = "catchment_cut_stream_error")
  expect_true(error$was_sent)
})
