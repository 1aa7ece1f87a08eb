import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { delimitedLine } from '#contract/kernel/import.ts'
import { delimitedRecords } from './delimited-records.ts'

/** More places than the widest table has. */
const all = Array.from({ length: 10 }, (_, place) => place)

async function read(parts: readonly string[], delimiter: string, places: readonly number[] = all): Promise<string[][]> {
  const records: string[][] = []
  const some = async function* () {
    yield* parts
  }
  for await (const portion of delimitedRecords(some(), delimiter, places)) records.push(...portion)
  return records
}

const sign = fc.constantFrom('a', '1', ' ', '"', '""', ',', ';', '|', '\t', '\r', '\n', '\r\n', 'é', '電', '😀', '\u2028')
const cell = fc.array(sign, { maxLength: 6 }).map((signs) => signs.join(''))
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }))
const delimiters = fc.constantFrom(',', ';', '|', '\t')

describe('delimited records', () => {
  it('are the rows that were written, as another reader of CSV sees them, wherever the text is parted', async () => {
    await fc.assert(
      fc.asyncProperty(table, delimiters, fc.array(fc.nat(80), { maxLength: 6 }), async (rows, delimiter, cuts) => {
        const text = rows.map((cells) => delimitedLine(cells, delimiter)).join('')
        const at = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length]
        const parts = at.slice(1).map((end, place) => text.slice(at[place], end))
        const records = await read(parts, delimiter)
        expect(records).toEqual(rows)
        // A record of one empty cell is an empty line, which the other reader reports as a record of one empty cell too.
        expect(records).toEqual(parse(text, { delimiter, record_delimiter: '\r\n' }))
      }),
    )
  })

  it('are read at the wanted places alone', async () => {
    const wanted = fc.subarray([0, 1, 2, 3])
    await fc.assert(
      fc.asyncProperty(table, delimiters, wanted, async (rows, delimiter, places) => {
        const text = rows.map((cells) => delimitedLine(cells, delimiter)).join('')
        expect(await read([text], delimiter, places)).toEqual(rows.map((cells) => cells.filter((_, place) => places.includes(place))))
      }),
    )
  })

  it.each([
    ['a quote inside an unquoted cell', '1,a"b\r\n', 'a quote stands inside an unquoted cell: a"b'],
    ['text after a quoted cell', '1,"a"b\r\n', 'text stands after a quoted cell: "a"b'],
    ['a record that is not ended', '1,2\r\n3,4', 'the text ends inside a record'],
    ['a quoted cell that is not ended', '1,2\r\n3,"4\r\n', 'the text ends inside a record'],
    ['a record with fewer cells', '1,2\r\n3\r\n', 'a record has 1 cells, and the first one has 2'],
    ['a record with more cells', '1,2\r\n3,4,5\r\n', 'a record has 3 cells, and the first one has 2'],
  ])('refuse %s', async (_name, text, message) => {
    await expect(read([text], ',')).rejects.toThrow(new RangeError(message))
    await expect(read(Array.from(text), ',')).rejects.toThrow(new RangeError(message))
  })
})
