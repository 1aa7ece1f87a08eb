/** Numbers for names in tests. */
export interface Counter {
  next(): number
  /** The last number that `next` returned; 0 before the first. */
  last(): number
}

const startAnew: (() => void)[] = []

/** A counter whose first number is 1 in each test file. */
export function counter(): Counter {
  let last = 0
  startAnew.push(() => {
    last = 0
  })
  return {
    next() {
      last += 1
      return last
    },
    last: () => last,
  }
}

/**
 * Resets all counters: as text 'Facility 10' comes before 'Facility 9', so the results of a file must not depend on the files before it.
 */
export function countAnew(): void {
  for (const start of startAnew) start()
}
