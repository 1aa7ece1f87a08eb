import { expect, test } from 'vitest'
import { createLog } from './log.ts'

function collecting(settings: { level?: 'debug' | 'warn'; human?: boolean } = {}) {
  const lines: string[] = []
  return { lines, log: createLog({ human: false, ...settings, write: (line) => lines.push(line) }) }
}

test('an event is one JSON line with time, level, message and the fields, those of with() included', () => {
  const { lines, log } = collecting()
  log.with({ request_id: 'r1' }).info('answered', { status: 200, route: '/bills/:id' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^[^\n]*\n$/)
  const event: unknown = JSON.parse(lines[0] ?? '')
  expect(event).toEqual({
    ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    level: 'info',
    msg: 'answered',
    request_id: 'r1',
    status: 200,
    route: '/bills/:id',
  })
})

test('events below the level are not written', () => {
  const { lines, log } = collecting({ level: 'warn' })
  log.info('quiet')
  log.warn('loud')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['loud'])
})

test('passwords, tokens, keys and bank numbers never come out, however deep they lie', () => {
  const { lines, log } = collecting()
  log.error('refused postgres://app:hunter2@db/x', {
    password: 'hunter2',
    headers: { 'access-token': 'hunter2', Authorization: 'hunter2', cookie: 'hunter2' },
    bank: [{ routing_number: 'hunter2', account_number: 'hunter2' }],
    smtp_url: 'smtp://mailer:hunter2@mail',
    error: new Error('cannot reach postgres://app:hunter2@db', { cause: new Error('at https://u:hunter2@h') }),
  })
  expect(lines.join('')).not.toContain('hunter2')
  expect(lines.join('')).toContain('cannot reach')
})

test('an error is told with its name, message, code and stack, but without the row that a database quotes', () => {
  const { lines, log } = collecting()
  log.error('failed', { error: Object.assign(new RangeError('too far'), { code: '22003', detail: 'Key (email)=(a@b.c)' }) })
  const event = JSON.parse(lines[0] ?? '')
  expect(event.error).toMatchObject({ name: 'RangeError', message: 'too far', code: '22003', stack: expect.stringContaining('log.test') })
  expect(lines[0]).not.toContain('a@b.c')
})

test('huge and circular values end somewhere', () => {
  const { lines, log } = collecting()
  const circle: Record<string, unknown> = { big: 1n, text: 'x'.repeat(100_000) }
  circle['self'] = circle
  log.info('round', circle)
  expect(lines[0]?.length).toBeLessThan(50_000)
})

test('at a terminal an event is one short line for a reader', () => {
  const { lines, log } = collecting({ human: true })
  log.warn('database restarts', { pid: 5 })
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}database restarts pid=5\n$/)
})
