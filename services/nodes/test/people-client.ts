import { randomBytes } from 'node:crypto';
import { MailWorker, smtpSender } from '@catchment/mail';
import type { TestMailServer } from '@catchment/testkit';
import { mailOf } from '../src/background.ts';
import type { Fixture } from './fixture.ts';

export const PASSWORD = 'correct horse battery';
const PROFILE = {
  firstName: 'Ann',
  lastName: 'Lee',
  phone: '+61 8 6555 0100',
  timezone: 'Australia/Perth',
  timezoneAdjustForDst: false,
  timeFormat: 'DD/MM/YYYY HH:mm',
};
let serial = 0;
/** Makes an e-mail that no other test uses. */
export const newEmail = (): string => `person-${process.pid}-${++serial}@example.org`;

export const tokenOf = (url: string | undefined): string => /[0-9a-f-]{36}$/.exec(url ?? '')?.[0] ?? '';

/** Makes the gateway's calls for people, over gRPC. */
export function peopleClient(f: Fixture) {
  const { people, service } = f;
  const client = {
    link: (token: string) => people.getLink({ token }, service),
    use: async (token: string, change: { password?: string; profile?: Partial<typeof PROFILE> } = {}) => {
      const sessionSha256 = randomBytes(32);
      const { password = PASSWORD, profile = {} } = change;
      const from = { clientAddress: '192.0.2.1', userAgent: '' };
      const request = { token, password, profile: { ...PROFILE, ...profile }, sessionSha256, ...from };
      return { sessionSha256, ...(await people.useLink(request, service)) };
    },
    signIn: async (email: string, password = PASSWORD, clientAddress = '192.0.2.1', account = '') => {
      const sessionSha256 = randomBytes(32);
      const request = { sessionSha256, email, password, clientAddress, account, userAgent: 'Firefox' };
      return { sessionSha256, ...(await people.signIn(request, service)) };
    },
    signOut: (sessionSha256: Buffer) => people.signOut({ sessionSha256 }, service),
    caller: (sessionSha256: Buffer, account = '') => people.authenticateSession({ sessionSha256, account }, service),
    signIns: async (sessionSha256: Buffer) => (await people.listSignIns({ sessionSha256 }, service)).signIns,
    endSignIn: (sessionSha256: Buffer, signInId: string) => people.endSignIn({ sessionSha256, signInId }, service),
    person: (sessionSha256: Buffer) => people.getPerson({ sessionSha256 }, service),
    choose: (sessionSha256: Buffer, ownerId: string) => people.chooseAccount({ sessionSha256, ownerId }, service),
    update: (sessionSha256: Buffer, change: Partial<typeof PROFILE>) =>
      people.updatePerson({ sessionSha256, profile: { ...PROFILE, ...change } }, service),
    changePassword: (sessionSha256: Buffer, currentPassword: string, newPassword: string) =>
      people.changePassword({ sessionSha256, currentPassword, newPassword }, service),
    reset: (email: string, clientAddress = '192.0.2.1') => people.requestReset({ email, clientAddress }, service),
    createLink: (email: string) => people.createLink({ email }, service),
    /** Opens a link that has gone to the e-mail. */
    prove: async (email: string, password = PASSWORD) =>
      client.use(tokenOf((await people.createLink({ email }, service)).url), { password }),
    invitations: async (sessionSha256: Buffer) =>
      (await people.listInvitations({ sessionSha256 }, service)).invitations,
    accept: (sessionSha256: Buffer, invitationId: string) =>
      people.acceptInvitation({ sessionSha256, invitationId }, service),
    decline: (sessionSha256: Buffer, invitationId: string) =>
      people.declineInvitation({ sessionSha256, invitationId }, service),
    acceptAll: async (sessionSha256: Buffer) => {
      for (const { invitationId } of await client.invitations(sessionSha256))
        await client.accept(sessionSha256, invitationId);
    },
  };
  return client;
}

/** Sends due mails to a test's mail server. */
export async function sendMails(f: Fixture, server: TestMailServer): Promise<void> {
  const sender = smtpSender({
    host: '127.0.0.1',
    port: server.port,
    security: 'off',
    login: undefined,
    from: 'catchment@example.org',
  });
  const worker = new MailWorker({ ...f, sender, write: (due) => mailOf(f, due) });
  while ((await worker.sendDue()) > 0);
  await worker.stop();
  sender.close();
}
