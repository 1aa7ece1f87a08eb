/**
 * Computes the position of each invoice line. The same walk first counts the pages and then draws them, so 'page 3 of 12' needs no second pass
 * over the drawn pages.
 */

/** Lines between the page head and the page foot. */
export const linesPerPage = 33

export interface LaidFacility {
  readonly name: string | null
  readonly bill_ids: readonly number[]
}

export interface LaidDivision<Facility extends LaidFacility = LaidFacility> {
  readonly name: string | null
  readonly facilities: readonly Facility[]
}

export type LaidLine<Division, Facility> = { readonly page: number; readonly line: number } & (
  | { readonly kind: 'division'; readonly division: Division; readonly again: boolean }
  | { readonly kind: 'facility'; readonly facility: Facility; readonly again: boolean }
  | { readonly kind: 'bill' }
  | { readonly kind: 'facility_total'; readonly facility: Facility }
  | { readonly kind: 'division_total'; readonly division: Division }
  | { readonly kind: 'closing'; readonly place: number }
)

/** Counts pages from 1 and lines from 0. A heading is never the last line of a page, and a continued page repeats its headings. */
export function* layOut<Facility extends LaidFacility, Division extends LaidDivision<Facility>>(
  divisions: readonly Division[],
  closingLines: number,
): Generator<LaidLine<Division, Facility>> {
  const at = { page: 1, line: 0 }
  const take = () => ({ page: at.page, line: at.line++ })
  const room = (needed: number): boolean => {
    if (at.line + needed <= linesPerPage) return false
    at.page += 1
    at.line = 0
    return true
  }
  for (const division of divisions) {
    room(3)
    yield { ...take(), kind: 'division', division, again: false }
    for (const facility of division.facilities) {
      if (room(2)) yield { ...take(), kind: 'division', division, again: true }
      yield { ...take(), kind: 'facility', facility, again: false }
      for (const _ of facility.bill_ids) {
        if (room(1)) {
          yield { ...take(), kind: 'division', division, again: true }
          yield { ...take(), kind: 'facility', facility, again: true }
        }
        yield { ...take(), kind: 'bill' }
      }
      if (room(1)) yield { ...take(), kind: 'division', division, again: true }
      yield { ...take(), kind: 'facility_total', facility }
    }
    room(1)
    yield { ...take(), kind: 'division_total', division }
  }
  // The total and the payment instructions are on the same page.
  room(Math.min(closingLines, linesPerPage))
  for (let place = 0; place < closingLines; place += 1) {
    room(1)
    yield { ...take(), kind: 'closing', place }
  }
}

/** Returns the number of pages of the layout. */
export function pagesOf(divisions: readonly LaidDivision[], closingLines: number): number {
  let pages = 1
  for (const { page } of layOut(divisions, closingLines)) pages = page
  return pages
}
