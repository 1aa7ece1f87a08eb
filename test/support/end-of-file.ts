/** Closes the servers, programs and connections that a test file opens. */

const acts: (() => unknown)[] = []

/**
 * Runs the act when the file has ended; the latest act first. Also for what a test opens itself, where Vitest would forget an `afterAll`: nine
 * servers that were never closed held a hundred connections for the rest of a run.
 */
export function atEndOfFile(act: () => unknown): void {
  acts.push(act)
}

/** Runs all acts, also after one has failed. Throws the first failure. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = []
  for (const act of acts.splice(0).toReversed()) {
    try {
      await act()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
