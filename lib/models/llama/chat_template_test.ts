import assert from "node:assert/strict";
import { chatTemplate } from "./chat_template.ts";

const CHATML = "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + " +
  "message['content'] + '<|im_end|>' + '\n'}}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

Deno.test("chatTemplate() renders ChatML up to the assistant's turn", () => {
  const expected = "<|im_start|>user\nA or B?<|im_end|>\n<|im_start|>assistant\n";
  assert.equal(chatTemplate(CHATML)("A or B?"), expected);
});

Deno.test("chatTemplate() says that a template is broken, at once or on use", () => {
  assert.throws(() => chatTemplate("{% for message in messages %}"), SyntaxError);
  const refusing = chatTemplate("{{ raise_exception('a system message is required') }}");
  assert.throws(() => refusing("A or B?"), /a system message is required/);
});
