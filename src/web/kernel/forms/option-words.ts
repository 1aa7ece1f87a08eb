/** Default label and hint of an option, for pickers without their own. */
import { z } from 'zod'

const words = z.object({
  display_name: z.string().nullish(),
  name: z.string().nullish(),
  account_name_with_number: z.string().nullish(),
  account_number: z.string().nullish(),
  symbol: z.string().nullish(),
  title: z.string().nullish(),
  number: z.string().nullish(),
  short_code: z.string().nullish(),
  vendor_name: z.string().nullish(),
  street_address_1: z.string().nullish(),
})

/** Returns the first of these names that the option has. */
export function optionLabel(option: { id: number }): string {
  const given = wordsOf(option)
  return (
    given.display_name ??
    given.name ??
    given.account_name_with_number ??
    given.account_number ??
    given.symbol ??
    given.title ??
    `#${option.id}`
  )
}

/** Returns number, short code, vendor and street, as far as the option has them and its label does not contain them. */
export function optionHint(option: { id: number }, label: string): string | undefined {
  const { number, short_code, account_number, vendor_name, street_address_1 } = wordsOf(option)
  const parts = [number, short_code, account_number, vendor_name, street_address_1]
  return parts.filter((part) => part && !label.includes(part)).join(' · ') || undefined
}

function wordsOf(option: object): Partial<z.infer<typeof words>> {
  const found = words.safeParse(option)
  return found.success ? found.data : {}
}
