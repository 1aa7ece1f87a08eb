import { expect, it } from 'vitest'
import { oneAhead } from './one-ahead.ts'

it('yields the values in their order and has the next one ready, no more', async () => {
  const read: number[] = []
  async function* numbers(): AsyncGenerator<number> {
    for (let value = 1; value <= 4; value += 1) {
      read.push(value)
      yield value
    }
  }
  const seen: [number, number][] = []
  for await (const value of oneAhead(numbers())) {
    await Promise.resolve()
    seen.push([value, read.length])
  }
  expect(seen).toEqual([
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 4],
  ])
})

it('throws the failure of the source after the values before it, and ends the source if the consumer stops', async () => {
  let ended = 0
  async function* failing(): AsyncGenerator<string> {
    try {
      yield 'one'
      yield 'two'
      throw new Error('the database is gone')
    } finally {
      ended += 1
    }
  }
  const seen: string[] = []
  const all = async () => {
    for await (const value of oneAhead(failing())) seen.push(value)
  }
  await expect(all()).rejects.toThrow('the database is gone')
  expect([seen, ended]).toEqual([['one', 'two'], 1])
  for await (const value of oneAhead(failing())) {
    expect(value).toBe('one')
    break
  }
  expect(ended).toBe(2)
})
