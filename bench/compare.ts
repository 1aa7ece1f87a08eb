/** Compares one request on the product, the thin server and the database itself, in alternating rounds. */
import { load, spreadOf, type Spread } from './measure.ts'
import { cpuMs, familyCpuMs } from './processes.ts'
import { ask, type Credentials } from './product.ts'
import type { Ground } from './ground.ts'
import { texts } from './statements.ts'

const rounds = 3
const manyAtOnce = 16
/** Long enough for connections, prepared plans and compiled code on a shared machine: a shorter warm-up measures the interpreter. */
const warmUpMs = 3_000
/** The header that Chromium sends. */
export const acceptEncoding = 'gzip, deflate, br, zstd'

export interface Question {
  readonly who?: Credentials
  /** The call's path with its query, below /api/v5. */
  readonly path: (turn: number) => string
  /** Concurrent callers in the rounds with many; sixteen by default. */
  readonly many?: number
  /** The equivalent statements by name, with their values. */
  readonly raw: readonly { readonly name: string; readonly values: (turn: number) => readonly unknown[] }[]
}

export interface Figures {
  /** One caller. */
  readonly p50: Spread
  readonly p95: Spread
  /** Many callers. */
  readonly perSecond: Spread
  readonly p95OfMany: Spread
  /** Milliseconds of CPU time per request, of the responding process and the database. */
  readonly cpu: Spread
}

export interface Compared {
  readonly ours: Figures
  readonly thin: Figures
  readonly raw: Figures
}

interface Cell {
  readonly one: { p50: number; p95: number }
  readonly many: { p95: number; perSecond: number }
  readonly cpu: number
}

export async function compare(ground: Ground, question: Question): Promise<Compared> {
  const { many = manyAtOnce } = question
  const targets = { ours: asked(ground, question), thin: thinly(ground, question), raw: straight(ground, question) }
  const pids = { ours: ground.product.pid, thin: ground.thin.pid, raw: 0 }
  const cells = { ours: new Array<Cell>(), thin: new Array<Cell>(), raw: new Array<Cell>() }
  for (const name of ['ours', 'thin', 'raw'] as const) await load(targets[name], many, warmUpMs)
  for (let round = 0; round < rounds; round += 1)
    for (const name of ['raw', 'thin', 'ours'] as const) cells[name].push(await measureCell(ground, targets[name], pids[name], many))
  return { ours: figuresOf(cells.ours), thin: figuresOf(cells.thin), raw: figuresOf(cells.raw) }
}

/** Runs one caller at a time for the duration of a cell. */
export async function alone(ground: Ground, question: Question): Promise<{ ours: Spread; raw: Spread }> {
  const [ours, raw] = [asked(ground, question), straight(ground, question)]
  for (const target of [ours, raw]) await load(target, 1, warmUpMs)
  const times = { ours: new Array<number>(), raw: new Array<number>() }
  for (let round = 0; round < rounds; round += 1) {
    times.raw.push((await load(raw, 1, ground.cellMs)).p95)
    times.ours.push((await load(ours, 1, ground.cellMs)).p95)
  }
  return { ours: spreadOf(times.ours), raw: spreadOf(times.raw) }
}

export function asked(ground: Ground, question: Pick<Question, 'who' | 'path'>): (turn: number) => Promise<unknown> {
  const headers = { ...(question.who ?? ground.admin), 'accept-encoding': acceptEncoding }
  return (turn) => ask(`${ground.product.url}/api/v5${question.path(turn)}`, headers)
}

function thinly(ground: Ground, question: Question): (turn: number) => Promise<unknown> {
  return async (turn) => {
    for (const { name, values } of question.raw)
      await ask(`${ground.thin.url}/${name}?v=${encodeURIComponent(JSON.stringify(values(turn)))}`)
  }
}

export function straight(ground: Ground, question: Question): (turn: number) => Promise<unknown> {
  return async (turn) => {
    for (const { name, values } of question.raw) await ground.raw.query({ name, text: texts.get(name) ?? '', values: [...values(turn)] })
  }
}

async function measureCell(ground: Ground, target: (turn: number) => Promise<unknown>, pid: number, callers: number): Promise<Cell> {
  const cpu = (): number => familyCpuMs(ground.databasePid) + (pid === 0 ? 0 : cpuMs(pid))
  const one = await load(target, 1, ground.cellMs)
  const before = cpu()
  const many = await load(target, callers, ground.cellMs)
  return { one, many, cpu: (cpu() - before) / many.count }
}

function figuresOf(cells: readonly Cell[]): Figures {
  return {
    p50: spreadOf(cells.map((cell) => cell.one.p50)),
    p95: spreadOf(cells.map((cell) => cell.one.p95)),
    perSecond: spreadOf(cells.map((cell) => cell.many.perSecond)),
    p95OfMany: spreadOf(cells.map((cell) => cell.many.p95)),
    cpu: spreadOf(cells.map((cell) => cell.cpu)),
  }
}
