/** A random id of this loaded application: results of requests from this window are reported to this window (G-CONNECTION-ID). */
export const connectionId: string = randomId()

/** Returns 128 random bits as text. `crypto.randomUUID` exists only on https and localhost; this works on plain http too. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
