import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { holdsHugePicture, refuseBombs } from './inflated-size.ts'

const MIB = 1_048_576
const spaces = (mib: number, level = 1): Buffer => deflateSync(Buffer.alloc(mib * MIB, ' '), { level })
const pdf = (...streams: readonly (readonly [dictionary: string, data: Buffer])[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...streams.flatMap(([dictionary, data], place) => [
      Buffer.from(`${place + 1} 0 obj\n<< ${dictionary} /Length ${data.length} >>\nstream\r\n`),
      data,
      Buffer.from('\nendstream\nendobj\n'),
    ]),
  ])
const refused = 'This document needs too much memory to be read.'

test('a stream that unpacks to more than 64 MiB is refused, whatever its filters are called', () => {
  const large = spaces(65)
  expect(() => refuseBombs(pdf(['/Filter /FlateDecode', large]))).toThrow(refused)
  expect(() => refuseBombs(pdf(['/Filter [/#46lateDecode]', large]))).toThrow(refused)
  expect(() => refuseBombs(pdf(['/Filter/Fl', large]))).toThrow(refused)
  expect(() => refuseBombs(pdf(['/Filter /FlateDecode', spaces(63)]))).not.toThrow()
})

test('bytes are counted after each of a stream’s filters, also where the filters stand elsewhere', () => {
  const twice = deflateSync(spaces(65))
  expect(twice.length).toBeLessThan(10_000)
  expect(() => refuseBombs(pdf(['/Filter [/FlateDecode /FlateDecode]', twice]))).toThrow(refused)
  expect(() => refuseBombs(pdf(['/Filter 9 0 R', twice]))).toThrow(refused)
  expect(() => refuseBombs(pdf(['/Filter [/FlateDecode /FlateDecode]', deflateSync(spaces(2))]))).not.toThrow()
})

test('many streams that are each allowed are refused together, from 512 MiB on', () => {
  // A loosely packed stream is counted by itself. Tightly packed streams are counted only if all of them together may be too large.
  for (const level of [1, 9]) {
    const data = spaces(60, level)
    const streams = Array.from({ length: 9 }, () => ['/Filter /FlateDecode', data] as const)
    expect(() => refuseBombs(pdf(...streams))).toThrow(refused)
    expect(() => refuseBombs(pdf(...streams.slice(0, 8)))).not.toThrow()
  }
})

test('pictures count by their dots: a scanned page is none, and one of 900 million dots is known as huge', () => {
  const scan = ['/Subtype /Image /Width 5100 /Height 6600 /Filter /FlateDecode', spaces(97)] as const
  expect(() => refuseBombs(pdf(...Array.from({ length: 6 }, () => scan)))).not.toThrow()
  expect(() => refuseBombs(pdf(['/Subtype /Image /Width 10 /Height 10 /Filter /FlateDecode', spaces(65)]))).toThrow(refused)
  expect(holdsHugePicture(pdf(scan))).toBe(false)
  expect(holdsHugePicture(pdf(['/Subtype /Image /Width 30000 /Height 30000 /Filter /JBIG2Decode', Buffer.alloc(9)]))).toBe(true)
})
