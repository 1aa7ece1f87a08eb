import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { layOut, linesPerPage, pagesOf, type LaidDivision } from './invoice-layout.ts'

const divisions = fc.array(
  fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }).map((counts): LaidDivision => ({
    name: 'West',
    facilities: counts.map((count) => ({ name: 'Store', bill_ids: Array.from({ length: count }, (_, place) => place) })),
  })),
  { maxLength: 4 },
)

type Line = ReturnType<typeof layOut> extends Generator<infer Laid> ? Laid : never

/** Returns the faults of a line. An assertion for each of a thousand lines would take seconds, so faults are collected. */
function faultOf(line: Line, following: Line | undefined): string[] {
  const where = `page ${line.page}, line ${line.line}`
  const isOnPage = line.line < linesPerPage
  if (!following) return isOnPage ? [] : [`${where} is below the foot`]
  const isNext = following.page === line.page ? following.line === line.line + 1 : following.page === line.page + 1 && following.line === 0
  const isLonely = following.page !== line.page && (line.kind === 'division' || line.kind === 'facility')
  return [
    ...(isOnPage ? [] : [`${where} is below the foot`]),
    ...(isNext ? [] : [`${where} has no next`]),
    ...(isLonely ? [`${where} is a lonely heading`] : []),
  ]
}

describe('the layout of an invoice', () => {
  test('each bill has one line, lines follow each other from page to page, and no heading is the last line of a page', () => {
    fc.assert(
      fc.property(divisions, fc.integer({ min: 1, max: 60 }), (laid, closing) => {
        const lines = [...layOut(laid, closing)]
        const bills = laid.reduce((sum, { facilities }) => sum + facilities.reduce((own, { bill_ids }) => own + bill_ids.length, 0), 0)
        expect(lines.filter(({ kind }) => kind === 'bill')).toHaveLength(bills)
        expect(lines.filter(({ kind }) => kind === 'closing')).toHaveLength(closing)
        expect(pagesOf(laid, closing)).toBe(lines.at(-1)?.page)
        expect(lines.flatMap((line, place) => faultOf(line, lines[place + 1]))).toEqual([])
      }),
      { numRuns: Math.min(propertyRuns, 300) },
    )
  })

  test('a page that goes on within a facility repeats the names of division and facility', () => {
    const laid: LaidDivision = { name: 'West', facilities: [{ name: 'Store', bill_ids: Array.from({ length: 40 }, (_, place) => place) }] }
    const second = [...layOut([laid], 1)].filter(({ page }) => page === 2)
    expect(second.slice(0, 3).map(({ kind }) => kind)).toEqual(['division', 'facility', 'bill'])
  })
})
