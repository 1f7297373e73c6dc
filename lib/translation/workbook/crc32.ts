/** CRC-32 of the bytes (ISO-HDLC, as in ZIP and PNG), an unsigned 32-bit number. */
export function crc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) remainder = TABLE[(remainder ^ byte) & 0xff]! ^ remainder >>> 8;
  return ~remainder >>> 0;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? 0xedb88320 ^ remainder >>> 1 : remainder >>> 1;
  }
  return remainder;
});
