/** The browser's part of passkeys. Its own functions read and write the JSON that the server speaks. */

/** Why the browser has no answer, in words for the person. */
export class NoPasskey extends Error {}

const stopped = 'No passkey was used. Try again, and follow what your device asks.'
const isThereAlready = 'This device has a passkey for your account already.'

/** Makes a passkey. @returns what the server verifies. Throws NoPasskey where the person or the device does not go on. */
export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  return answered(() => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }))
}

/** Signs the challenge by a passkey of the person's choice. */
export async function askPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  return answered(() => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }))
}

async function answered(ask: () => Promise<Credential | null>): Promise<unknown> {
  let credential: Credential | null
  try {
    credential = await ask()
  } catch (error) {
    throw new NoPasskey(error instanceof DOMException && error.name === 'InvalidStateError' ? isThereAlready : stopped)
  }
  if (!(credential instanceof PublicKeyCredential)) throw new NoPasskey(stopped)
  return credential.toJSON()
}
