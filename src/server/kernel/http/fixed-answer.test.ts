import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { serveFixed } from './fixed-answer.ts'

const busyMs = 4

/** Makes a piece that takes a while. */
function slowPiece(at: number): string {
  const until = performance.now() + busyMs
  while (performance.now() < until);
  return `piece ${at} `
}

describe('a fixed answer', () => {
  test('is made once for all who ask, and lets others be answered meanwhile', async () => {
    const server = Fastify()
    let made = 0
    serveFixed(server, '/fixed', {
      type: 'text/plain',
      *pieces() {
        made += 1
        for (let at = 0; at < 100; at++) yield slowPiece(at)
      },
    })
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.inject('/fixed')))
    clearInterval(timer)
    expect(made).toBe(1)
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    // Making all pieces at once would have let none of the turns run.
    expect(turns).toBeGreaterThan(10)
    await server.close()
  })

  test('is made again after its making has failed', async () => {
    const server = Fastify()
    let tries = 0
    serveFixed(server, '/fixed', {
      type: 'text/plain',
      pieces: () => {
        tries += 1
        if (tries === 1) throw new Error('planted')
        return ['whole']
      },
    })
    expect((await server.inject('/fixed')).statusCode).toBe(500)
    expect((await server.inject('/fixed')).body).toBe('whole')
    await server.close()
  })
})
