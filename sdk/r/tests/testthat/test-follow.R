# Changes page by page, the tree, and events that go on after a lost connection.

test_that("changes come page by page, in rows of one shape, and go on where they were", {
  text <- list(id = strrep("2", 24), name = "Note", dataType = "TEXT")
  first <- document(c(
    "{\"ts\":\"2024-01-01T00:00:00.000Z\",\"f\":{\"0\":{\"v\":1.5,\"q\":7},\"1\":{\"v\":\"\"}}}",
    "{\"ts\":\"2024-01-01T01:00:00.000Z\",\"f\":{\"0\":{\"q\":158,\"a\":\"gap\"}}}"
  ), list(NUMBER, text), "next" = "n1")
  second <- document("{\"ts\":\"2023-01-01T00:00:00.000Z\",\"f\":{\"1\":{\"v\":\"late\"}}}", list(NUMBER, text))
  fake <- fake(first, second)
  found <- changes(fake$con, c("@a", "@b"), since = "yesterday")
  expect_equal(names(found), c("time", "node", "value", "text", "quality", "annotation")[c(2, 1, 3:6)])
  expect_equal(found$node, c("@a", "@b", "@a", "@b"))
  expect_equal(found$value, c(1.5, NA, NA, NA))
  expect_equal(found$text, c(NA, "", NA, "late"))
  expect_equal(found$quality, c(7L, NA, 158L, NA))
  expect_equal(query_of(last(fake))$after, "n1")
  expect_equal(query_of(last(fake))$startTime, "2023-11-13T00:00:00.000Z")
  again <- fake(document(columns = list(NUMBER, text)))
  none <- changes(again$con, after = attr(found, "place"))
  expect_equal(nrow(none), 0)
  expect_equal(names(none), names(found))
  expect_equal(query_of(last(again))[c("after", "params")], list(after = "n1", params = "@a,@b"))
})

test_that("changes of a limit stop after a page, and their place goes on behind it", {
  row <- "{\"ts\":\"2024-01-01T00:00:00.000Z\",\"f\":{\"0\":{\"v\":1}}}"
  fake <- fake(document(row, "next" = "n1"), document(row))
  found <- changes(fake$con, "@a", since = "today", limit = 1)
  expect_equal(nrow(found), 1)
  expect_equal(nrow(changes(fake$con, after = attr(found, "place"))), 1)
  expect_equal(query_of(last(fake))$after, "n1")
})

test_that("without nodes changes are those of all parameters", {
  fake <- fake(answer(body = "[{\"_id\":\"a1\"},{\"_id\":\"b2\"}]"), document(columns = list(NUMBER, NUMBER)))
  changes(fake$con, since = "today")
  expect_equal(query_of(last(fake))$params, "a1,b2")
})

test_that("wrong arguments of changes are reported before anything is sent", {
  fake <- fake(document())
  for (case in list(list(list(), "since"), list(list(after = "x"), "after"), list(list(after = "[{}]"), "after"), list(list(since = "soon"), "since"), list(list("@a", since = "today", limit = 0), "limit"))) {
    expect_error(do.call(changes, c(list(fake$con), case[[1]])), paste0("^", case[[2]], ": "), class = "catchment_argument_error")
  }
  expect_length(fake$requests, 0)
})

test_that("the tree has a row for each node below its parent, and is found by the end of paths", {
  nodes <- "[{\"_id\":\"3\",\"_class\":\"x.NumberPoint\",\"name\":\"Gage height\",\"parentId\":\"2\",\"customId\":\"stage\",\"units\":\"ft\"},
    {\"_id\":\"1\",\"_class\":\"x.Workspace\",\"name\":\"Rivers\"},{\"_id\":\"4\",\"_class\":\"x.Location\",\"name\":\"Alone\",\"parentId\":\"9\"},
    {\"_id\":\"2\",\"_class\":\"x.Location\",\"name\":\"Dead Run (east)\",\"parentId\":\"1\"}]"
  fake <- fake(answer(body = nodes))
  found <- tree(fake$con)
  expect_equal(found$path, c("Alone", "Rivers", "Rivers/Dead Run (east)", "Rivers/Dead Run (east)/Gage height"))
  expect_equal(found$depth, c(0L, 0L, 1L, 2L))
  expect_equal(found$kind, c("Location", "Workspace", "Location", "NumberPoint"))
  expect_equal(found$custom_id[[4]], "stage")
  cases <- list(
    list("gage height", "3"), list("dead run*/gage*", "3"), list("Dead Run (east)", "2"), list("/Dead Run (east)", character()),
    list("/Rivers/*", c("2", "3")), list("*", c("4", "1", "2", "3")), list("height", character())
  )
  for (case in cases) expect_equal(tree(fake$con, case[[1]])$id, case[[2]], info = case[[1]])
  expect_equal(nrow(tree(fake(answer(body = "[]"))$con)), 0)
})

test_that("events of the past are a tibble, of the types that are asked for", {
  fake <- fake(answer(body = "[{\"eventTime\":\"2024-01-01T00:00:00.000Z\",\"message\":\"High\",\"level\":\"WARNING\"}]"))
  found <- events(fake$con, c("ALARM", "state"), "2024", "2025", filter = "level($eq:WARNING)")
  expect_equal(found$message, "High")
  expect_equal(found$time, as.POSIXct("2024-01-01", tz = "UTC"))
  asked <- query_of(last(fake))
  expect_equal(asked$filter, "alarmState($ne:NONE),level($eq:WARNING)|eventType($eq:STATE),level($eq:WARNING)")
  expect_equal(asked$endTime, "2024-12-31T23:59:59.999Z")
  expect_equal(nrow(events(fake(answer(body = "[]"))$con)), 0)
  expect_error(events(fake$con, "NOISE"), "^types: 'NOISE' is none of ALARM")
  expect_error(events(fake$con, "ALARM", filter = "a|b"), "^filter: ")
})

# A stream of pieces: texts, or an error.
streams <- function(..., env = parent.frame()) {
  connections <- list(...)
  seen <- new.env()
  seen$urls <- character()
  head <- NULL
  local_the(
    fetch_stream = function(url, take, handle) {
      seen$urls <- c(seen$urls, url)
      connection <- connections[[min(length(seen$urls), length(connections))]]
      head <<- connection$head
      for (piece in connection$pieces) if (is.character(piece)) take(charToRaw(piece)) else stop(piece)
    },
    handle_data = function(handle) head,
    env = env
  )
  seen
}

stream <- function(..., status = 200, type = "text/event-stream") {
  head <- sprintf("HTTP/1.1 %d X\r\nContent-Type: %s\r\nRetry-After: 3\r\n\r\n", status, type)
  list(head = list(status_code = status, headers = charToRaw(head)), pieces = list(...))
}

test_that("events are followed over cut connections and ends of the server, each once, until the function says FALSE", {
  fake <- fake(accepted())
  seen <- streams(
    stream("id: 1\n\n", ": heartbeat\n", "id: 2\ndata: {\"message\":", "\"one\"}\n\nid: 3\nda", EOF_FAILURE),
    stream(status = 503, type = "application/json", "{\"error\":{\"message\":\"Service temporarily unavailable\"}}"),
    stream("id: 3\r\ndata: {\"message\":\"tw\u00f6\"}\r\n\r\nretry: 1500\nevent: end\ndata: {}\n\n"),
    stream("id: 4\ndata: {\"message\":\"three\"}\n\nid: 5\ndata: {\"message\":\"four\"}\n\n")
  )
  handles <- character()
  messages <- character()
  place <- events(fake$con, "ALARM", follow = function(event) {
    messages <<- c(messages, event$message)
    event$message != "three"
  })
  expect_equal(messages, c("one", "tw\u00f6", "three"))
  expect_equal(place, "4")
  expect_length(seen$urls, 4)
  expect_match(seen$urls[[1]], "/api/v1/events/stream?filter=alarmState%28%24ne%3ANONE%29", fixed = TRUE)
  expect_equal(fake$slept, c(1, 3.55, 1.5))
})

test_that("a stream that is refused for good, or again and again, is reported", {
  fake <- fake(accepted())
  never <- function(event) NULL
  streams(stream(status = 401, type = "application/json", "{\"error\":{\"message\":\"Unauthorized: authentication failed\"}}"))
  expect_error(events(fake$con, follow = never), class = "catchment_authentication_error")
  streams(stream("<html>", type = "text/html"))
  expect_error(events(fake$con, follow = never), class = "catchment_unexpected_answer")
  seen <- streams(stream(REFUSED))
  expect_error(events(fake$con, follow = never), class = "catchment_transport_error")
  expect_length(seen$urls, 5)
})

test_that("an error of the function of the caller is the caller's", {
  fake <- fake(accepted())
  seen <- streams(stream("data: {}\n\n"))
  expect_error(events(fake$con, follow = function(event) stop("mine")), "^mine$", class = "simpleError")
  expect_length(seen$urls, 1)
})
