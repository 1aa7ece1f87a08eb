/** Opens a client: the key of the picker in the header, and what it does. */
export const CLIENT_PICKER_KEYS = 'o c'
export const CLIENT_PICKER_ID = 'client-picker'

/** Opens the picker and puts the keyboard into it. */
export function openClientPicker(): void {
  document.getElementById(CLIENT_PICKER_ID)?.click()
}
