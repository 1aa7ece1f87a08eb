/** Joins class names and leaves out empty, false and undefined ones. */
export function cx(...names: ReadonlyArray<string | false | undefined>): string {
  return names.filter(Boolean).join(' ')
}
