/** Numbers for names that tests make up. */
export interface Counter {
  next(): number
  /** The number that `next` gave last; 0 before the first. */
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

/** Starts all counters anew: by text 'Facility 10' comes before 'Facility 9', so what a file finds must not hang on the files before it. */
export function countAnew(): void {
  for (const start of startAnew) start()
}
