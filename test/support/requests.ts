/** Requests of a person over a real socket, to a program that may be killed meanwhile. */
import type { Person } from './app.ts'

export interface Asked {
  readonly method?: string
  readonly body?: object
  readonly key?: string
}

/** Returns the request with the person's credentials, its body as JSON, and its idempotency key; a POST unless it says otherwise. */
export function requestOf({ headers }: Person, { method = 'POST', body, key }: Asked): RequestInit {
  return {
    method,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

/** @returns the JSON of the answer; null if the connection ended before it. Throws with the answer if its status is not 200. */
export async function askUnlessCut(address: string, person: Person, asked: Asked): Promise<unknown> {
  try {
    const answer = await fetch(address, requestOf(person, asked))
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${new URL(address).pathname}: ${answer.status} ${text}`)
    return JSON.parse(text)
  } catch (error) {
    // `fetch` throws this error when a connection ends.
    if (error instanceof TypeError) return null
    throw error
  }
}
