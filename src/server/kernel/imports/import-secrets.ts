/** Secrets of an import: sealed from the moment that a row is read, and sealed anew for the record that they end in. */
import { fingerprintOf, isMasked, openSecret, sealSecret } from '../secret.ts'

export interface StagedPlace {
  readonly importId: number
  readonly line: number
  readonly key: string
}

/** A secret as it waits in import_rows: sealed with its fingerprint, a mask that was sent back, or the wish to empty it. */
export type StagedSecret = { sealed: string; fingerprint: string } | { masked: string } | { cleared: true }

export function sealStaged(secretKey: string, place: StagedPlace, value: unknown): StagedSecret {
  if (typeof value !== 'string') return { cleared: true }
  if (isMasked(value)) return { masked: value }
  return {
    sealed: sealSecret(secretKey, placeOf(place), value).toString('base64'),
    fingerprint: fingerprintOf(secretKey, place.key, value).toString('hex'),
  }
}

/** The value behind `sealed`. */
export function openStaged(secretKey: string, place: StagedPlace, sealed: string): string {
  return openSecret(secretKey, placeOf(place), Buffer.from(sealed, 'base64'))
}

/** Bound to its row of its import: lines are fewer than 2^20 times 200, so that the two make one number. */
function placeOf({ importId, line, key }: StagedPlace) {
  return { table: `import_rows ${importId}`, column: key, id: line }
}
