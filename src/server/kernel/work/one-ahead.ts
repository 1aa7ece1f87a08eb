/**
 * Yields the values of `source` and reads the next one while the consumer works on the last: the database reads a portion of rows while the one
 * before is formatted. One more portion is in memory.
 */
export async function* oneAhead<Value>(source: AsyncGenerator<Value>): AsyncGenerator<Value> {
  let coming = source.next()
  try {
    for (;;) {
      const { done, value } = await coming
      if (done) return
      coming = source.next()
      // Its failure is thrown by the next turn; until then it must not count as unhandled.
      coming.catch(() => undefined)
      yield value
    }
  } finally {
    await source.return(undefined)
  }
}
