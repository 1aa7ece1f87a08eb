import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Principal } from '../principal.ts'
import { signedOut } from '../problem.ts'
import { classOf, createRequestLimits, requestsPerMinute, slidingLimit } from './rate-limit.ts'

describe('the limit of requests', () => {
  test('lets as many through as the window holds, and slides', () => {
    const limit = slidingLimit(10, 60_000)
    for (let at = 0; at < 10; at++) expect(limit.take('a', 1_000)).toBe(0)
    expect(limit.take('a', 1_000)).toBe(59)
    expect(limit.take('b', 1_000)).toBe(0)
    // After another half window, half of the ten still count.
    let through = 0
    for (let at = 0; at < 10; at++) if (limit.take('a', 90_000) === 0) through += 1
    expect(through).toBe(5)
    expect(limit.take('a', 300_000)).toBe(0)
  })

  test('asks for no longer a pause than it takes until the next one fits', () => {
    const limit = slidingLimit(60, 60_000)
    for (let at = 0; at < 60; at++) limit.take('a', 1_000)
    // Right after the minute changes, nearly all of the last one still counts, and one place becomes free every second.
    const wait = limit.take('a', 60_000)
    expect(wait).toBe(1)
    expect(limit.take('a', 60_000 + 1_000 * wait + 1)).toBe(0)
  })

  test.each([
    ['GET', '/api/v5/bills', null],
    ['POST', '/api/v5/bills', 'writes'],
    ['DELETE', '/api/v5/bills/:id', 'writes'],
    ['GET', '/api/v5/bills/export_csv', 'exports'],
    ['GET', '/api/v5/search', 'search'],
    ['PUT', '/api/v5/uploads/:token', 'uploads'],
    ['GET', '/api/v5/direct_upload_url', 'uploads'],
  ])('%s %s counts as %s', (method, route, kind) => {
    expect(classOf(method, route)).toBe(kind)
  })

  test('counts by who has proven who they are, a token by itself', () => {
    const limits = createRequestLimits()
    const post = (who: Principal): void => limits.ofPrincipal(who, 'POST', '/things')
    for (let at = 0; at < requestsPerMinute.writes; at++) post(person(1))
    expect(() => post(person(1))).toThrow('Too many requests')
    expect(() => post(person(2))).not.toThrow()
    expect(() => post({ ...person(1), api_token_id: 5 })).not.toThrow()
  })

  test('leaves a person’s reading alone, and counts a token’s', () => {
    const limits = createRequestLimits()
    const read = (who: Principal): void => limits.ofPrincipal(who, 'GET', '/things')
    for (let at = 0; at < 5_000; at++) read(person(1))
    const token = { ...person(1), api_token_id: 5 }
    for (let at = 0; at < requestsPerMinute.reads_by_token; at++) read(token)
    expect(() => read(token)).toThrow('Too many requests')
  })

  test('counts what nobody has proven by its network, and says how long to wait', () => {
    const limits = createRequestLimits()
    for (let at = 0; at < requestsPerMinute.anonymous; at++) limits.ofNetwork(`192.0.2.${at % 250}`, 'anonymous', 'GET', '/things')
    const refusal = refusalOf(() => limits.ofNetwork('192.0.2.7', 'anonymous', 'GET', '/things'))
    expect(refusal).toMatchObject({ code: 'too_many', extra: { retryAfterSeconds: expect.any(Number) } })
    expect(refusalOf(() => limits.ofNetwork('198.51.100.7', 'anonymous', 'GET', '/things'))).toBeUndefined()
  })

  test('looks nobody up any more for a network whose credentials keep proving nothing, but for those that were good before', async () => {
    const limits = createRequestLimits()
    let asked = 0
    const dead = (): Promise<never> => {
      asked += 1
      return Promise.reject(signedOut())
    }
    await expect(limits.proving('192.0.2.1', 'good', () => Promise.resolve('known'))).resolves.toBe('known')
    for (let at = 0; at < requestsPerMinute.refused; at++)
      await expect(limits.proving('192.0.2.1', `invented ${at}`, dead)).rejects.toThrow('Please sign in')
    await expect(limits.proving('192.0.2.1', 'another', dead)).rejects.toThrow('Too many requests')
    expect(asked).toBe(requestsPerMinute.refused)
    await expect(limits.proving('192.0.2.1', 'good', () => Promise.resolve('known'))).resolves.toBe('known')
    await expect(limits.proving('198.51.100.1', 'another', () => Promise.resolve('new'))).resolves.toBe('new')
  })

  test('looks up two at a time of one network', async () => {
    const limits = createRequestLimits()
    let running = 0
    let most = 0
    const slow = async (): Promise<void> => {
      most = Math.max(most, ++running)
      await sleep(5)
      running -= 1
    }
    await Promise.all(Array.from({ length: 20 }, (_, at) => limits.proving('192.0.2.1', `name ${at}`, slow)))
    expect(most).toBe(2)
  })
})

function person(user_id: number): Principal {
  return { user_id, email: 'person@test', grants: [], masked: new Map(), session_id: 1 }
}

function refusalOf(work: () => void): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}
