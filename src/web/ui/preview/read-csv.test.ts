import { describe, expect, test } from 'vitest'
import { decodeText, readCsv } from './read-csv.ts'

describe('the start of a CSV', () => {
  test.each([
    [
      'commas',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons, whose cells hold commas',
      'a;b\r\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'quotes around separators, line ends and quotes',
      'a,b\n"1,\n""2""",3',
      [
        ['a', 'b'],
        ['1,\n"2"', '3'],
      ],
    ],
    ['a quote that is never closed', 'a\n"1,2\n3', [['a'], ['1,2\n3']]],
    [
      'empty cells and lines',
      'a,b\n\n,\n1,',
      [
        ['a', 'b'],
        ['', ''],
        ['1', ''],
      ],
    ],
    ['a mark of its encoding', '\uFEFFa,b', [['a', 'b']]],
    ['nothing', '', []],
  ])('reads %s', (_what, text, rows) => {
    expect(readCsv(text, 10)).toEqual({ rows, more: false })
  })

  test('reads no more rows than are wanted, and says whether more follow', () => {
    const text = Array.from({ length: 500 }, (_, at) => `${at},x`).join('\n')
    expect(readCsv(text, 201).rows).toHaveLength(201)
    expect(readCsv(text, 201).more).toBe(true)
    expect(readCsv(text, 500).more).toBe(false)
  })
})

test('bytes are UTF-8, and where they are none as Windows writes them; a letter that is cut in two at the end is left out', () => {
  expect(decodeText(new TextEncoder().encode('März €'))).toBe('März €')
  expect(decodeText(new Uint8Array([0x4d, 0xe4, 0x72, 0x7a, 0x20, 0x80]))).toBe('März €')
  expect(decodeText(new TextEncoder().encode('a€').slice(0, 3))).toBe('a')
})
