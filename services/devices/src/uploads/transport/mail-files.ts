import type { Readable } from 'node:stream';
import type { SettingsOf } from '@catchment/contracts/transports';
import { DomainError, invalid, notPermitted, tooLarge } from '@catchment/errors';
import { type AttachmentStream, MailParser, type MessageText } from 'mailparser';
import { takesSender } from '../domain/mail-address.ts';
import { baseName } from '../domain/upload-name.ts';

type MailSource = {
  readonly settings: SettingsOf<'Email'>;
  /** Files become attachments, pictures inside texts too. */
  readonly isAttachmentSource: boolean;
  /** Sender of the envelope. */
  readonly sender: string;
  /** It is called before the first file comes, with the Message-ID, where the mail has one. */
  readonly identified: (messageId: string) => void;
  /** It is called with all bytes, in the order in which they come. */
  readonly came: (bytes: number) => void;
};

/** Smtp-server gives a stream with this property. */
type MailStream = Readable & { readonly sizeExceeded?: boolean };

/** Longer ones are not made into plain text. */
const HTML_CHARACTERS = 1024 * 1024;

/**
 * The files in a mail, one after the other as they come (docs/reference/acquisition.md#e-mail).
 * @throws DomainError permission_denied (another sender), too_large, invalid_argument (the mail cannot be read)
 */
export async function* filesOfMail(
  stream: MailStream,
  of: MailSource,
): AsyncGenerator<{ readonly fileName: string; readonly bytes: AsyncIterable<Uint8Array>; readonly isText?: boolean }> {
  const { dataFrom, processBody = 'NO' } = of.settings;
  const wantsText = dataFrom === 'BODY' || processBody === 'PLAIN_TEXT';
  const parser = new MailParser({
    skipHtmlToText: !wantsText,
    skipTextToHtml: true,
    skipImageLinks: true,
    maxHtmlLengthToParse: HTML_CHARACTERS,
  });
  let headerSender = '';
  parser.on('headers', (headers) => {
    const messageId = headers.get('message-id');
    if (typeof messageId === 'string' && messageId !== '') of.identified(messageId);
    headerSender = (headers.get('from') as { value?: { address?: string }[] } | undefined)?.value?.[0]?.address ?? '';
  });
  let current: Readable | undefined;
  const broken = (error: Error) => {
    current?.destroy(error);
    parser.destroy(error);
  };
  stream.once('error', broken);
  const counted = (bytes: Buffer) => of.came(bytes.length);
  stream.on('data', counted).pipe(parser);
  let count = 0;
  const named = (given: string | false | undefined, fallback: string) => baseName(given || '') ?? fallback;
  try {
    for await (const part of parser as AsyncIterable<AttachmentStream | MessageText>) {
      checkSender(of, headerSender);
      if (part.type === 'attachment') {
        count += 1;
        const isWanted = dataFrom !== 'BODY' && (of.isAttachmentSource || !part.related);
        current = part.content as Readable;
        if (isWanted) yield { fileName: named(part.filename, `attachment-${count}`), bytes: current };
        current.resume();
        part.release();
        continue;
      }
      // The text comes last.
      if (stream.sizeExceeded) throw tooLarge();
      if (wantsText && part.text) yield { fileName: 'body.txt', bytes: oneOf(part.text), isText: true };
      if (processBody === 'HTML' && typeof part.html === 'string')
        yield { fileName: 'body.html', bytes: oneOf(part.html), isText: true };
    }
    if (stream.sizeExceeded) throw tooLarge();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw invalid('BAD_MULTIPART', `the e-mail cannot be read: ${(error as Error).message}`);
  } finally {
    stream.off('error', broken).off('data', counted);
    stream.unpipe(parser);
    parser.destroy();
  }
}

function checkSender({ settings, sender }: MailSource, headerSender: string): void {
  if (takesSender(settings.senderFilter, sender) || takesSender(settings.senderFilter, headerSender)) return;
  throw notPermitted('the sender does not match senderFilter');
}

async function* oneOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
