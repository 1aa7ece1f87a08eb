/** The messages for values that no field of their kind accepts, by the name of the field. */
export const fieldWords = {
  required: (label: string) => `${label} is required`,
  text: (label: string) => `${label} must be text`,
  number: (label: string) => `${label} must be a number`,
  truth: (label: string) => `${label} must be true or false`,
  date: (label: string) => `${label} must be a date, YYYY-MM-DD`,
  id: (label: string) => `${label} must be an id`,
  ids: (label: string) => `${label} must be a list of ids`,
  atLeast: (label: string, min: number | undefined) => `${label} must be at least ${min}`,
  atMost: (label: string, max: number | undefined) => `${label} must be at most ${max}`,
  entries: (label: string, max: number) => `${label} must have at most ${max} entries`,
  characters: (label: string, max: number) => `${label} must have at most ${max} characters`,
  charactersEach: (label: string, max: number) => `${label} must have at most ${max} characters each`,
} as const
