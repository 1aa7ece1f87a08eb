/** Tests that a file with any other byte than the written one is refused when it is read back, but in the fields that are free. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fileGroups, profilesById } from './file-groups.ts'
import { fileReference } from './file-name.ts'
import { exportOf } from './file-fixture.ts'
import { goldenCases } from './golden-cases.ts'
import type { ColumnSource } from './layout-sources.ts'
import type { Layout } from './layout.ts'
import { buildFile, planFiles } from './payment-files.ts'
import { FileRefused, readBackNacha, readBackRows } from './read-back.ts'

const slowMs = 240_000
const mutationsMin = 4_000
const control = '\u0007'
const recordLength = 94

/**
 * The texts of NACHA records that break no rule when they are others: the bank and the sender by name, the discretionary data, the entry
 * description. Any other byte of the file pays somebody, or is counted, summed or fixed.
 */
const freeFields: Readonly<Record<string, readonly (readonly [from: number, to: number, name: string])[]>> = {
  '1': [
    [41, 63, 'destination name'],
    [64, 86, 'origin name'],
  ],
  '5': [
    [21, 40, 'discretionary data'],
    [54, 63, 'entry description'],
  ],
}

/** The columns that break no rule when their text is another: names, addresses and notes, which a layout may cut and fold. */
const freeSources: readonly ColumnSource[] = [
  'payer',
  'payer_code',
  'payer_account_last4',
  'payer_street_address_1',
  'payer_city',
  'payer_state',
  'payer_zip',
  'avid_payer_id',
  'avid_bank_account_id',
  'vendor',
  'vendor_short_code',
  'client_vendor_number',
  'payee',
  'payee_street_address_1',
  'payee_street_address_2',
  'payee_city',
  'payee_state',
  'payee_zip',
  'payee_phone',
  'account_holder',
  'account_last4',
  'payment_type',
  'effective_type',
  'utility_account_number',
  'invoice_number',
  'notes',
]

interface Written {
  readonly text: string
  readonly isTaken: (text: string) => boolean
  /** The free field in which a byte stands; null where each byte obeys a rule. */
  readonly fieldAt: (at: number) => string | null
}

function writtenCase(name: string): Written {
  const input = goldenCases[name] ?? exportOf()
  const text = readFileSync(new URL(`golden/${name}`, import.meta.url), 'latin1')
  const [plan, group] = [planFiles(input).at(-1), fileGroups(input).at(-1)]
  if (!plan || !group) throw new Error('no file')
  const { entries } = buildFile(input, plan, { modifier: 'A', first_trace: 41, sequence: 12 })
  if (group.family === 'nacha') {
    const lineEnd = { lf: 1, crlf: 2, none: 0 }[group.profiles[0]?.line_end ?? 'lf']
    const read = (bytes: Uint8Array) => readBackNacha(bytes, { input, plan, group, modifier: 'A', entries })
    return { text, isTaken: taker(read), fieldAt: (at) => fieldOfRecord(text, at, recordLength + lineEnd) }
  }
  const { layout, payments } = group
  const rows = { layout, payments, profiles: profilesById(input), moment: input.moment, file_reference: fileReference(input, '12') }
  const free = freePlaces(text, layout)
  return { text, isTaken: taker((bytes) => readBackRows(bytes, rows, plan)), fieldAt: (at) => free.get(at) ?? null }
}

function taker(read: (bytes: Uint8Array) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      read(Buffer.from(text, 'latin1'))
      return true
    } catch (error) {
      if (error instanceof FileRefused) return false
      throw error
    }
  }
}

function fieldOfRecord(text: string, at: number, step: number): string | null {
  const place = (at % step) + 1
  const fields = freeFields[text[at - (at % step)] ?? ''] ?? []
  return fields.find(([from, to]) => place >= from && place <= to)?.[2] ?? null
}

/** The golden files have no quoted cells, so that a cell ends at the next comma. */
function freePlaces(text: string, layout: Layout): Map<number, string> {
  const free = new Map<number, string>()
  const end = layout.line_end === 'crlf' ? '\r\n' : '\n'
  const lines = text.split(end).slice(0, -1)
  let at = 0
  for (const [nth, line] of lines.entries()) {
    const isRow = !(layout.heading && nth === 0) && !(layout.total_row && nth === lines.length - 1)
    let from = at
    const cells = layout.kind === 'fixed' ? layout.columns.map(({ width }) => width ?? 0) : line.split(',').map((cell) => cell.length)
    for (const [place, length] of cells.entries()) {
      const source = layout.columns[place]?.source ?? null
      if (isRow && source !== null && freeSources.includes(source))
        for (let one = from; one < from + length; one += 1) free.set(one, source)
      from += length + (layout.kind === 'fixed' ? 0 : 1)
    }
    at += line.length + end.length
  }
  return free
}

/** A stray byte, and other bytes of the same kind, which only a rule about the content can find. */
function others(letter: string): string[] {
  if (/\d/.test(letter)) return [control, String((Number(letter) + 1) % 10), String((Number(letter) + 7) % 10), 'X', ' ']
  if (/[A-Z]/.test(letter)) return [control, letter === 'Q' ? 'R' : 'Q', '0', ' ', letter.toLowerCase()]
  if (/[a-z]/.test(letter)) return [control, letter === 'q' ? 'r' : 'q', ' ']
  return [control, 'X', '0'].concat(letter === ' ' ? ['-'] : [' '])
}

describe('a file that is read back', () => {
  it.each(Object.keys(goldenCases))('is taken as it was written: %s', (name) => {
    const { text, isTaken } = writtenCase(name)
    expect(isTaken(text)).toBe(true)
  })

  it(
    'is refused with one other byte at any place of any layout, but in the fields that may say anything, each of which may',
    () => {
      const wrongly: string[] = []
      const met = new Set<string>()
      const free = new Set<string>()
      const count = { tried: 0, refused: 0, taken: 0 }
      for (const name of Object.keys(goldenCases)) {
        const { text, isTaken, fieldAt } = writtenCase(name)
        for (let at = 0; at < text.length; at += 1) {
          const field = fieldAt(at)
          if (field !== null) free.add(`${name}: ${field}`)
          for (const by of others(text[at] ?? '')) {
            const taken = isTaken(text.slice(0, at) + by + text.slice(at + 1))
            count.tried += 1
            count[taken ? 'taken' : 'refused'] += 1
            if (taken && (field === null || by === control)) wrongly.push(`${name} ${at} ${JSON.stringify(by)}`)
            if (taken && field !== null) met.add(`${name}: ${field}`)
          }
        }
      }
      console.log(`mutations of ${Object.keys(goldenCases).length} files: ${JSON.stringify(count)}, ${free.size} free fields`)
      expect(wrongly).toEqual([])
      expect(free.difference(met)).toEqual(new Set())
      expect(count.refused).toBeGreaterThan(mutationsMin)
    },
    slowMs,
  )

  it('is refused without a line, with a line twice, and with two lines in each other’s place', () => {
    const wrongly: string[] = []
    let tried = 0
    for (const name of Object.keys(goldenCases)) {
      const { text, isTaken } = writtenCase(name)
      const lines = name.includes('without-line-ends') ? (text.match(/.{94}/g) ?? []) : text.split(/(?<=\n)/)
      for (const [at, line] of lines.entries()) {
        const next = lines[at + 1]
        const mutations = {
          without: lines.toSpliced(at, 1),
          twice: lines.toSpliced(at, 0, line),
          turned: lines.toSpliced(at, 2, next ?? '', line),
        }
        for (const [how, mutated] of Object.entries(mutations)) {
          if (mutated.join('') === text) continue
          tried += 1
          if (isTaken(mutated.join(''))) wrongly.push(`${name}: line ${at + 1} ${how}`)
        }
      }
    }
    expect(wrongly).toEqual([])
    expect(tried).toBeGreaterThan(200)
  })
})
