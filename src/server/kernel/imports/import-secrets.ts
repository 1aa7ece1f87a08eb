/** Secrets of an import: sealed as soon as a row is read, and sealed again for the record that finally holds them. */
import { fingerprintOf, isMasked, openSecret, sealSecret } from '../secret.ts'

export interface StagedPlace {
  readonly importId: number
  readonly line: number
  readonly key: string
}

/** A secret as it waits in import_rows: sealed with its fingerprint, a mask that was sent back, or a request to empty it. */
export type StagedSecret = { sealed: string; fingerprint: string } | { masked: string } | { cleared: true }

export function sealStaged(secretKey: string, place: StagedPlace, value: unknown): StagedSecret {
  if (typeof value !== 'string') return { cleared: true }
  if (isMasked(value)) return { masked: value }
  return {
    sealed: sealSecret(secretKey, placeOf(place), value).toString('base64'),
    fingerprint: fingerprintOf(secretKey, place.key, value).toString('hex'),
  }
}

/** Returns the value behind `sealed`. */
export function openStaged(secretKey: string, place: StagedPlace, sealed: string): string {
  return openSecret(secretKey, placeOf(place), Buffer.from(sealed, 'base64'))
}

/** Bound to the row of its import: there are fewer than 2^20 lines per import, so import and line fit into one number. */
function placeOf({ importId, line, key }: StagedPlace) {
  return { table: `import_rows ${importId}`, column: key, id: line }
}
