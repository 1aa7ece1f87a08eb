/** Requests of the full-disk tests to the program, and their expectations when there is no space. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { NoRoom } from '../../src/server/kernel/problem.ts'
import type { Person } from './app.ts'
import { taskOf, type SeenTask } from './retrieval.ts'
import { maySetUpSmallDisk, type SmallDisk } from './small-disk.ts'

/** Returns true if this machine lets the tests set up a small disk. Otherwise the run prints a note. */
export function maySeeFullDisk(): boolean {
  const mayMount = maySetUpSmallDisk()
  if (!mayMount) console.warn('SKIPPED: the tests of a full disk need Linux and root, to mount a small file system.')
  return mayMount
}

export const { message: noRoomMessage } = new NoRoom()

export interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: Record<string, unknown>
}

export type Ask = (method: string, path: string, body?: object | FormData) => Promise<Answer>

export function asking(url: string, person: Person): Ask {
  return async (method, path, body) => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${url}/api/v5${path}`, {
      method,
      headers: { ...person.headers, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body: z.record(z.string(), z.unknown()).parse(await answer.json()),
    }
  }
}

function formOf(field: string, file: File, values: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.append(name, value)
  form.append(field, file)
  return form
}

export const paper = (): FormData =>
  formOf('document[file]', new File(['%PDF-1.7\n', 'x'.repeat(500_000), '\n%%EOF\n'], 'paper.pdf', { type: 'application/pdf' }), {
    'document[title]': 'Paper',
  })

export const rowsFile = (mark: string, rows: number): FormData => {
  const lines = Array.from({ length: rows }, (_, at) => `${mark}-${at},Vendor ${at} of ${mark}\n`)
  return formOf('file', new File(['short_code,name\n', ...lines], 'vendors.csv', { type: 'text/csv' }), { mode: 'valid' })
}

/** Prints and checks a refusal for lack of space. */
export function expectRefused(what: string, { status, retryAfter, body }: Answer): void {
  console.log(`${what}: ${status} ${String(body['message'])}`)
  expect({ what, status, message: body['message'] }).toEqual({ what, status: 503, message: noRoomMessage })
  expect(Number(retryAfter), what).toBeGreaterThan(0)
}

export function expectDone(what: string, { status, body }: Answer): Record<string, unknown> {
  expect(status, `${what}: ${JSON.stringify(body).slice(0, 300)}`).toBe(200)
  return body
}

export const endOf = (ask: Ask, id: unknown): Promise<SeenTask> => taskOf((method, path) => ask(method, path), id)

export async function isAlive(disk: SmallDisk): Promise<void> {
  expect(disk.child.exitCode).toBeNull()
  expect((await fetch(`${disk.url}/livez`)).status).toBe(200)
}

export async function pathsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
