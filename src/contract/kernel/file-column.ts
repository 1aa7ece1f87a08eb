/** Fields of a column that are the same in every file whose layout people edit. */
import { z } from 'zod'

/** The heading of a column, one line of at most so many characters. */
export const columnHeading = (max: number) =>
  z.string({ error: 'Heading must be text' }).max(max, `Heading must have at most ${max} characters`)

/** The width of a column in characters; null if it has none. */
export const columnWidth = (max: number) =>
  z.int('Width must be a whole number').min(1, 'Width must be at least 1').max(max, `Width must be at most ${max}`).nullable().default(null)

export const needsWidths = 'a file of fixed width needs the width of each column'
