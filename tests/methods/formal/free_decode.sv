  // In the place of the generated decoder, where a property holds whatever instructions there are: every combination of the
  // bits that the supervisor's issue looks at is the decoding of some word with any register numbers (bits 24:15, 11:7).
  function automatic logic [35:0] decode(input logic [31:0] w);
    decode = {w[31:25], w[31:25], 22'd0};
    decode[21:19] = {w[6], w[13:12]};  // slots
    decode[18] = w[5];                 // by_supervisor
    decode[16:15] = w[4:3];            // reads_x1, reads_x2
    decode[11] = w[2];                 // writes_x
    decode[4:3] = w[1:0];              // serialising, redirects
  endfunction
