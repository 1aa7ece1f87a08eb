/**
 * Yields the values of `source` and reads up to `count` further ones while the consumer works on the last: the database reads portions of rows
 * while the one before is formatted. That many more portions are in memory.
 */
export async function* readAhead<Value>(source: AsyncGenerator<Value>, count: number): AsyncGenerator<Value> {
  const coming: Promise<IteratorResult<Value>>[] = []
  const ask = (): void => {
    const next = source.next()
    // Its failure is thrown when its turn comes; until then it must not count as unhandled.
    next.catch(() => undefined)
    coming.push(next)
  }
  try {
    for (let asked = 0; asked < count; asked += 1) ask()
    for (let next = coming.shift(); next; next = coming.shift()) {
      const { done, value } = await next
      if (done) return
      ask()
      yield value
    }
  } finally {
    await source.return(undefined)
  }
}
