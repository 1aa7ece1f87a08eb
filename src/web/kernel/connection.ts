/** A random id of this loaded application: what was asked for in this window is reported to this window (G-CONNECTION-ID). */
export const connectionId: string = randomId()

/** 128 random bits as text. `crypto.randomUUID` exists on https and localhost only, this works on plain http too. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
