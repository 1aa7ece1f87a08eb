/** A sign-in by a passkey. It is loaded when somebody uses one. */
import { askPasskey, NoPasskey } from '../second-factor/second-factor.ts'
import { bodyOf, credentialsIn, errorsOf, fieldOf, send, textAt, type AuthAnswer } from './auth-calls.ts'
import { deviceMark, type Credentials } from './session-store.ts'

/** POST /auth/sign_in/passkey_options, and the answer of the passkey to …/passkey. */
export async function signInByPasskey(): Promise<AuthAnswer<Credentials>> {
  const reply = await send('/sign_in/passkey_options', 'POST', {}, deviceMark())
  if (!reply?.ok) return { ok: false, errors: await errorsOf(reply), status: reply?.status ?? 0 }
  return answerWith(fieldOf(await bodyOf(reply), 'options'), '/sign_in/passkey', {})
}

/** POST /auth/sign_in/second_factor/passkey: a passkey in place of a code. `asked` are the options of the first step. */
export async function passkeySecondStep(challenge: string, asked: unknown): Promise<AuthAnswer<Credentials>> {
  return answerWith(asked, '/sign_in/second_factor/passkey', { challenge })
}

async function answerWith(asked: unknown, path: string, more: object): Promise<AuthAnswer<Credentials>> {
  try {
    const credential = await askPasskey(optionsIn(asked))
    return await credentialsIn(await send(path, 'POST', { ...more, credential }, deviceMark()))
  } catch (error) {
    if (error instanceof NoPasskey) return { ok: false, errors: [error.message], status: 0 }
    throw error
  }
}

function optionsIn(asked: unknown): PublicKeyCredentialRequestOptionsJSON {
  const allowed = fieldOf(asked, 'allowCredentials')
  return {
    challenge: textAt(asked, 'challenge') ?? '',
    rpId: textAt(asked, 'rpId') ?? location.hostname,
    userVerification: 'required',
    timeout: Number(fieldOf(asked, 'timeout')),
    allowCredentials: Array.isArray(allowed) ? allowed.map(credentialIn) : [],
  }
}

function credentialIn(asked: unknown): PublicKeyCredentialDescriptorJSON {
  const transports = fieldOf(asked, 'transports')
  return { id: textAt(asked, 'id') ?? '', type: 'public-key', transports: Array.isArray(transports) ? transports.map(String) : [] }
}
