import { expect, it } from 'vitest'
import { readAhead } from './read-ahead.ts'

it.each([
  [
    1,
    [
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 4],
    ],
  ],
  [
    2,
    [
      [1, 3],
      [2, 4],
      [3, 4],
      [4, 4],
    ],
  ],
])('yields the values in their order and has the next %i ready, no more', async (count, expected) => {
  const read: number[] = []
  async function* numbers(): AsyncGenerator<number> {
    for (let value = 1; value <= 4; value += 1) {
      read.push(value)
      yield value
    }
  }
  const seen: [number, number][] = []
  for await (const value of readAhead(numbers(), count)) {
    await Promise.resolve()
    seen.push([value, read.length])
  }
  expect(seen).toEqual(expected)
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
    for await (const value of readAhead(failing(), 2)) seen.push(value)
  }
  await expect(all()).rejects.toThrow('the database is gone')
  expect([seen, ended]).toEqual([['one', 'two'], 1])
  for await (const value of readAhead(failing(), 2)) {
    expect(value).toBe('one')
    break
  }
  expect(ended).toBe(2)
})
