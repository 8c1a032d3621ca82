/** A message is heard at once by all replicas that are there, the sender included; a lost message is lost. */
export type Replicas = {
  say(subject: string, text: string): void;
  hear(subject: string, heard: (text: string) => void): void;
};
