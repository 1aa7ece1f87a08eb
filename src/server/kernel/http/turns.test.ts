import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { tooMuch } from '../problem.ts'
import { createRequestTurns } from './request-turns.ts'
import { createTurns, type Share, type Turns } from './turns.ts'

const patient = { waiting: 100, waitMs: 60_000 }
const share = (key: string, running = 2, waiting = 100): Share => ({ key, running, waiting })

/** Takes a turn and notes its name when it gets one. */
function asking(turns: Turns, order: string[]) {
  return async (name: string, shares: readonly Share[], isGone?: () => boolean): Promise<() => void> => {
    const done = await turns.take(shares, isGone)
    order.push(name)
    return done
  }
}
const soon = (): Promise<void> => sleep(1)
/** Adds one more to the queue. It is never taken, so it is refused after the test is over. */
const waitInLine = (turns: Turns, own: Share): void => void turns.take([own]).catch(() => undefined)

describe('turns', () => {
  test('are as many as there may be; the next begins when one ends', async () => {
    const turns = createTurns({ running: 2, ...patient })
    const order: string[] = []
    const ask = asking(turns, order)
    const [first] = await Promise.all([ask('a', []), ask('b', [])])
    void ask('c', [])
    await soon()
    expect([turns.running(), turns.waiting(), order.join('')]).toEqual([2, 1, 'ab'])
    first()
    first()
    await soon()
    expect([turns.running(), turns.waiting(), order.join('')]).toEqual([2, 0, 'abc'])
  })

  test('pass over what its own share holds back, and give whoever has the least running the next one', async () => {
    const turns = createTurns({ running: 3, ...patient })
    const order: string[] = []
    const ask = asking(turns, order)
    const busy = share('busy')
    const ends = await Promise.all([ask('b1', [busy]), ask('b2', [busy]), ask('o', [share('other')])])
    for (const name of ['b3', 'b4']) void ask(name, [busy]).catch(() => undefined)
    void ask('quiet', [share('quiet')])
    ends[2]?.()
    await soon()
    // Two of the busy share are running, so the one that came later begins first.
    expect(order).toEqual(['b1', 'b2', 'o', 'quiet'])
    ends[0]?.()
    await soon()
    expect(order.at(-1)).toBe('b3')
  })

  test('are refused with 503 beyond what may wait and beyond the longest wait, and are to be had again afterwards', async () => {
    const turns = createTurns({ running: 1, waiting: 1, waitMs: 50 })
    const done = await turns.take([])
    const late = turns.take([])
    expect(() => turns.refuseIfFull()).toThrow('busy')
    await expect(turns.take([])).rejects.toMatchObject({ code: 'overloaded', status: 503, extra: { retryAfterSeconds: 2 } })
    await expect(late).rejects.toMatchObject({ code: 'overloaded' })
    done()
    expect(turns.refuseIfFull()).toBeUndefined()
    await expect(turns.take([])).resolves.toBeTypeOf('function')
  })

  test('are refused with 429 where only the share is full', async () => {
    const turns = createTurns({ running: 5, ...patient })
    const own = share('own', 1, 1)
    await turns.take([own])
    waitInLine(turns, own)
    await expect(turns.take([own])).rejects.toMatchObject({ code: 'too_many', status: 429, extra: { retryAfterSeconds: 2 } })
    await expect(turns.take([share('other', 1, 1)])).resolves.toBeTypeOf('function')
  })

  test('are not kept for who has hung up', async () => {
    const turns = createTurns({ running: 1, waiting: 1, waitMs: 60_000 })
    const done = await turns.take([])
    let isGone = false
    const gone = turns.take([], () => isGone)
    isGone = true
    const next = turns.take([])
    await expect(gone).rejects.toMatchObject({ code: 'overloaded' })
    done()
    await expect(next).resolves.toBeTypeOf('function')
  })

  test('are fewer for a share that has used more time than it may', async () => {
    const turns = createTurns({ running: 5, ...patient })
    const own = { ...share('own', 3), runningWhenSpent: 1, spendingMax: 0.02 }
    const ends = await Promise.all([turns.take([own]), turns.take([own]), turns.take([own])])
    await sleep(30)
    for (const end of ends) end()
    await turns.take([own])
    waitInLine(turns, own)
    await soon()
    expect([turns.running(), turns.waiting()]).toEqual([1, 1])
  })
})

test('a refusal for haste is held, another one and what is granted are answered at once', async () => {
  const { holding } = createRequestTurns(10)
  const order: string[] = []
  const note = (name: string) => (): void => void order.push(name)
  await Promise.all([
    holding(() => Promise.reject(tooMuch('too_many', 'Slow down.'))).catch(note('haste')),
    holding(() => Promise.reject(tooMuch('too_large', 'Too large.'))).catch(note('size')),
    holding(() => 1).then(note('granted')),
    // Timers of one process fire in the order of their times, however late.
    sleep(200).then(note('a fifth of a second')),
  ])
  expect(order.toSorted()).toEqual(['a fifth of a second', 'granted', 'haste', 'size'])
  expect(order.slice(2)).toEqual(['a fifth of a second', 'haste'])
})
